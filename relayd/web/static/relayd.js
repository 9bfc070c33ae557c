// What moves on a page: clocks by the server's time, copying, explanations in place, the hall's pages.
// Everything here is an extra: without it every page still reads and every form still works.
(() => {
  "use strict";
  const root = document.documentElement;
  const behind = () => Number(document.body.dataset.now) - arrived;
  let arrived = Date.now();
  const now = () => Date.now() + behind();
  const scale = () => Number(document.body.dataset.scale || 1);

  const two = (n) => String(n).padStart(2, "0");
  const left = (ms) => {
    const s = Math.max(0, Math.ceil(ms / 1000));
    const rest = `${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
    return s >= 3600 ? `${Math.floor(s / 3600)}:${rest}` : rest.replace(/^0/, "");
  };
  const tick = () => {
    const moment = Number(document.body.dataset.now) + (Date.now() - arrived) * scale();
    for (const element of document.querySelectorAll("[data-until]")) {
      if (!element.dataset.until || element.dataset.frozen) continue;
      const ms = Number(element.dataset.until) - moment;
      element.textContent = left(ms);
      element.classList.toggle("over", ms <= 0);
      element.classList.toggle("low", ms <= 300000);
    }
    for (const element of document.querySelectorAll("[data-wall]")) {
      element.textContent = new Date(now()).toLocaleTimeString(root.lang, {
        timeZone: element.dataset.wall, hour12: false });
    }
  };

  // The reader's own time beside the tournament's, where they differ.
  const zones = () => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    for (const element of document.querySelectorAll("time[data-zone]")) {
      if (element.dataset.zone === own || element.dataset.told) continue;
      element.dataset.told = "1";
      const shown = new Date(Number(element.dataset.ms)).toLocaleString(root.lang, {
        month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hour12: false });
      const beside = document.createElement("span");
      beside.className = "note";
      beside.textContent = ` (${own} ${shown})`;
      element.after(beside);
    }
  };

  const fallback = (text) => {
    const box = document.createElement("textarea");
    box.value = text;
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  };
  const copy = async (button) => {
    try { await navigator.clipboard.writeText(button.dataset.copy); } catch { fallback(button.dataset.copy); }
    const before = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = before; }, 1500);
  };

  const explain = async (link) => {
    const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const dialog = document.createElement("dialog");
    dialog.append(...page.querySelector("main").childNodes);
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };

  const mark = (button) => {
    const box = document.querySelector(button.dataset.for);
    const [before, after] = button.dataset.mark.split("|");
    const { selectionStart: from, selectionEnd: to, value } = box;
    box.setRangeText(before + value.slice(from, to) + after, from, to, "select");
    box.focus();
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };

  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-copy], [data-explain], [data-mark]");
    if (!target) return;
    event.preventDefault();
    if (target.dataset.copy) copy(target);
    else if (target.dataset.mark) mark(target);
    else explain(target).catch(() => { location.href = target.href; });
  });
  // A form is sent once.
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    setTimeout(() => event.target.querySelectorAll("button").forEach((b) => { b.disabled = true; }));
  });
  window.addEventListener("pageshow", () => document.querySelectorAll("button:disabled[type=submit]")
    .forEach((b) => { b.disabled = false; }));

  // The console renews its parts by itself: at once after news, then at most every 1.5 s, never under a finger.
  let renewing = 0, renewed = 0, pressed = false;
  const renew = (selector) => {
    if (renewing) return;
    renewing = setTimeout(() => {
      renewing = 0;
      if (pressed) return renew(selector);
      renewed = Date.now();
      window.htmx.trigger(selector, "renew");
    }, Math.max(50, 1500 - (Date.now() - renewed)));
  };
  for (const word of ["sse:page", "sse:quiet"]) {
    document.addEventListener(word, (event) => {
      if (event.target.dataset && event.target.dataset.renews) renew(event.target.dataset.renews);
    });
  }
  document.addEventListener("pointerdown", () => { pressed = true; });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => { setTimeout(() => { pressed = false; }, 150); });
  }

  // What was open stays open, and the page stays where it was: through renewals, and through a button's page.
  const opened = new Set();
  document.addEventListener("toggle", (event) => {
    if (event.target.id) opened[event.target.open ? "add" : "delete"](event.target.id);
  }, true);
  const reopen = () => opened.forEach((id) => {
    const box = document.getElementById(id);
    if (box) box.open = true;
  });
  const KEY = "relayd-place";
  document.addEventListener("submit", (event) => {
    const place = { path: location.pathname, top: scrollY, at: Date.now(), opened: [...opened],
      focus: event.submitter && event.submitter.id };
    sessionStorage.setItem(KEY, JSON.stringify(place));
  });
  const returned = () => {
    const place = JSON.parse(sessionStorage.getItem(KEY) || "null");
    sessionStorage.removeItem(KEY);
    if (!place || place.path !== location.pathname || Date.now() - place.at > 15000) return;
    place.opened.filter((id) => !id.startsWith("sure-")).forEach((id) => opened.add(id));
    reopen();
    const button = place.focus && document.getElementById(place.focus);
    if (button) button.focus({ preventScroll: true });
    if (!location.hash) scrollTo(0, place.top);
  };

  // The hall's pages take turns; a renewal keeps the one that is shown.
  const TURN_MS = 10000;
  let shown = "", turned = 0;
  const show = (step) => {
    const pages = [...document.querySelectorAll(".hall .page")];
    if (!pages.length) return;
    const now = Math.max(0, pages.findIndex((page) => page.dataset.key === shown));
    const next = pages[(now + step) % pages.length];
    pages.forEach((page) => page.classList.toggle("shown", page === next));
    shown = next.dataset.key;
  };
  const turn = () => {
    if (Date.now() - turned < TURN_MS) return;
    turned = Date.now();
    show(1);
  };
  const begin = () => { arrived = Date.now(); tick(); zones(); };
  // Thousands of pages do not ask for themselves again in one moment: the stream says how far they spread.
  // At a table, whoever is signed in does not wait for those who only look on.
  const waiting = new WeakSet();
  const known = () => document.querySelector('.who[href="/me"]');
  const spread = (told) => (told.type === "sse:page" ? Number(told.detail.data || 0) : known() ? 0 : 500);
  document.addEventListener("htmx:confirm", (event) => {
    const { elt, triggeringEvent, issueRequest } = event.detail;
    if (!triggeringEvent?.type.startsWith("sse:")) return;
    event.preventDefault();
    if (waiting.has(elt)) return;
    waiting.add(elt);
    setTimeout(() => { waiting.delete(elt); issueRequest(true); }, Math.random() * spread(triggeringEvent));
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const fresh = document.querySelector("main[data-now]");
    if (fresh && event.target.tagName === "MAIN") { document.body.dataset.now = fresh.dataset.now; begin(); }
    zones();
    reopen();
    show(0);
  });
  document.addEventListener("htmx:oobAfterSwap", () => { zones(); reopen(); });
  // A page that is left gives its line back: browsers keep left pages alive, and have six lines for a site.
  if (window.htmx) {
    const make = htmx.createEventSource, lines = new Set();
    htmx.createEventSource = (url) => { const line = make(url); lines.add(line); return line; };
    window.addEventListener("pagehide", () => lines.forEach((line) => line.close()));
    window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }
  if (document.querySelector(".hall")) {
    document.body.classList.add("turning");
    turned = Date.now();
    show(0);
    setInterval(turn, 500);
  }
  const tab = document.querySelector(".tabs [aria-current]");
  if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 40;
  setInterval(tick, 500);
  begin();
  returned();
})();
