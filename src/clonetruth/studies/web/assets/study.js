"use strict";
/* Judging by keyboard. Every page works without this script: it only presses the buttons and follows the links of the
   page. It replaces the content of the page with the server's response instead of reloading, so that a vote that was not
   saved stays on the screen. */
(() => {
  /* A key or button that is pressed twice must not judge the next pair, which the judge has not seen yet. */
  const GUARD_MILLISECONDS = 400;
  /* Not signed in, not allowed, already answered: retrying cannot help. After any other error the form stays. */
  const FINAL = [401, 403, 409];
  const status = document.getElementById("status");
  let shown = 0;
  let visible = 0;
  let since = 0;
  let busy = false;

  const showStatus = (text, failed) => {
    status.textContent = text;
    status.classList.toggle("failed", Boolean(failed));
  };

  const startClock = () => {
    shown = performance.now();
    visible = 0;
    since = shown;
  };

  /* Count only the time during which the page is visible. */
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) visible += performance.now() - since;
    else since = performance.now();
  });

  const replacePage = (page, url) => {
    document.title = page.title;
    document.body.className = page.body.className;
    document.querySelector("main").replaceWith(page.querySelector("main"));
    history.replaceState(null, "", url);
    const main = document.querySelector("main");
    main.querySelector("[data-focus]")?.focus() ?? main.focus();
    applyShortcuts();
    startClock();
  };

  const replaceView = (page, url) => {
    const view = document.getElementById("view");
    const next = page.getElementById("view");
    if (next === null || next.dataset.item !== view.dataset.item) {
      replacePage(page, url);
      return;
    }
    view.replaceWith(next);
    document.querySelector(".views").replaceWith(page.querySelector(".views"));
  };

  const load = async (address, options, replace, failure) => {
    if (busy) return;
    busy = true;
    try {
      const response = await fetch(address, { ...options, credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (!response.ok && !FINAL.includes(response.status)) {
        showStatus(`${failure} ${page.querySelector("main p")?.textContent ?? response.status}`, true);
        return;
      }
      showStatus(response.ok && options.method === "POST" ? "Saved." : "");
      replace(page, response.url);
    } catch {
      showStatus(`${failure} The server does not respond. Try again: nothing is counted twice.`, true);
    } finally {
      busy = false;
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.swap !== "main") return;
    event.preventDefault();
    const now = performance.now();
    if (form.elements.seconds) {
      if (now - shown < GUARD_MILLISECONDS) return;
      form.elements.seconds.value ||= ((visible + now - since) / 1000).toFixed(1);
    }
    const body = new URLSearchParams(new FormData(form, event.submitter));
    load(form.action, { method: "POST", body }, replacePage, "Not saved.");
  });

  const follow = (link) => {
    const wanted = link.hasAttribute("aria-current") ? document.querySelector(".views a") : link;
    load(wanted.href, { method: "GET" }, link.dataset.swap === "view" ? replaceView : replacePage, "Not loaded.");
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-swap]");
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    follow(link);
  });

  const nextConfidence = () => {
    const choices = [...document.querySelectorAll("input[name=confidence]")];
    if (choices.length === 0) return;
    choices[(choices.findIndex((choice) => choice.checked) + 1) % choices.length].checked = true;
  };

  /* Both fragments scroll together, except when one of them has the focus. */
  const SCROLLS = { ArrowDown: 0.1, ArrowUp: -0.1, PageDown: 0.9, PageUp: -0.9, " ": 0.9 };
  const scroll = (screens) => {
    for (const pane of document.querySelectorAll("#view pre, #view .scroll, #view .diff-scroll"))
      pane.scrollBy(0, screens * pane.clientHeight);
  };

  const shortcutsOn = () => localStorage.getItem("shortcuts") !== "off";

  const applyShortcuts = () => {
    const box = document.getElementById("shortcuts");
    if (box) box.checked = shortcutsOn();
  };

  document.addEventListener("change", (event) => {
    if (event.target.id === "shortcuts") localStorage.setItem("shortcuts", event.target.checked ? "on" : "off");
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
    if (event.key === "Escape") {
      document.activeElement.blur();
      const first = document.querySelector(".views a");
      if (first && !first.hasAttribute("aria-current")) follow(first);
      return;
    }
    const writing = event.target.closest("textarea, input:not([type=radio], [type=checkbox]), select");
    const pressing = event.key === "Enter" && event.target.closest("a, button");
    if (writing || pressing || !shortcutsOn()) return;
    if (event.key === "h") nextConfidence();
    if (event.key in SCROLLS && event.target.matches("main, body")) {
      event.preventDefault();
      scroll(SCROLLS[event.key]);
    }
    const target = document.querySelector(`[data-key~="${CSS.escape(event.key)}"]`);
    if (target === null) return;
    event.preventDefault();
    if (target.matches("textarea")) target.focus();
    else target.click();
  });

  applyShortcuts();
  startClock();
})();
