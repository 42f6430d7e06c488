"use strict";
/* Judging without leaving the keyboard. Every page works without this script: it presses the buttons and follows the links
   that are there, and puts the answer of the server in the place of the page instead of loading it anew, so that a vote
   that did not arrive is still on the screen. */
(() => {
  /* A key or button that is pressed twice must not judge the next pair, which nobody has looked at. */
  const GUARD_MILLISECONDS = 400;
  /* Not signed in, not allowed, answered before: to try again is of no use. After any other error the form stays. */
  const FINAL = [401, 403, 409];
  const status = document.getElementById("status");
  let shown = 0;
  let looked = 0;
  let since = 0;
  let busy = false;

  const say = (text, failed) => {
    status.textContent = text;
    status.classList.toggle("failed", Boolean(failed));
  };

  const startClock = () => {
    shown = performance.now();
    looked = 0;
    since = shown;
  };

  /* Only the time in which the page can be seen counts. */
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) looked += performance.now() - since;
    else since = performance.now();
  });

  const put = (page, url) => {
    document.title = page.title;
    document.body.className = page.body.className;
    document.querySelector("main").replaceWith(page.querySelector("main"));
    history.replaceState(null, "", url);
    const main = document.querySelector("main");
    main.querySelector("[data-focus]")?.focus() ?? main.focus();
    applyShortcuts();
    startClock();
  };

  const putView = (page, url) => {
    const view = document.getElementById("view");
    const next = page.getElementById("view");
    if (next === null || next.dataset.item !== view.dataset.item) {
      put(page, url);
      return;
    }
    view.replaceWith(next);
    document.querySelector(".views").replaceWith(page.querySelector(".views"));
  };

  const load = async (address, options, putPage, lost) => {
    if (busy) return;
    busy = true;
    try {
      const response = await fetch(address, { ...options, credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (!response.ok && !FINAL.includes(response.status)) {
        say(`${lost} ${page.querySelector("main p")?.textContent ?? response.status}`, true);
        return;
      }
      say(response.ok && options.method === "POST" ? "Saved." : "");
      putPage(page, response.url);
    } catch {
      say(`${lost} The server does not answer. Try again: nothing is counted twice.`, true);
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
      form.elements.seconds.value ||= ((looked + now - since) / 1000).toFixed(1);
    }
    const body = new URLSearchParams(new FormData(form, event.submitter));
    load(form.action, { method: "POST", body }, put, "Not saved.");
  });

  const follow = (link) => {
    const wanted = link.hasAttribute("aria-current") ? document.querySelector(".views a") : link;
    load(wanted.href, { method: "GET" }, link.dataset.swap === "view" ? putView : put, "Not loaded.");
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

  /* Both fragments scroll together, unless one of them has the focus and scrolls by itself. */
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
