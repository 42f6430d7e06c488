"""Programs that run inside the sandbox. They use nothing but what their language brings."""
