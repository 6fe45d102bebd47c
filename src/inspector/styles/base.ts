/** Colours, type and controls. A page changes the custom properties that begin with `--agidb-`. */
export const BASE = `
:host {
  color-scheme: light dark;
  --ground: var(--agidb-ground, light-dark(#faf9f6, #0f1115));
  --surface: var(--agidb-surface, light-dark(#ffffff, #171a20));
  --ink: var(--agidb-ink, light-dark(#1b1d22, #ebe9e4));
  --soft: var(--agidb-soft, light-dark(#5a5f69, #a3a8b2));
  --line: var(--agidb-line, light-dark(#e3e0d8, #2b2f38));
  --edge: var(--agidb-edge, light-dark(#85888f, #757b87));
  --accent: var(--agidb-accent, light-dark(#b4430f, #ff9d5c));
  --on-accent: var(--agidb-on-accent, light-dark(#ffffff, #1b1208));
  --wash: var(--agidb-wash, light-dark(#f7ece4, #2a1f18));
  --bad: var(--agidb-bad, light-dark(#a3172b, #ff8f98));
  --on-bad: var(--agidb-on-bad, light-dark(#ffffff, #26070b));
  --bad-wash: var(--agidb-bad-wash, light-dark(#fbeaec, #2c171b));
  --good: var(--agidb-good, light-dark(#1c6b3c, #7fd8a1));
  --radius: var(--agidb-radius, 10px);
  container-type: inline-size;
  display: flex;
  flex-direction: column;
  box-sizing: border-box;
  block-size: min(48rem, 100dvh);
  min-block-size: 24rem;
  overflow: hidden;
  position: relative;
  background: var(--ground);
  color: var(--ink);
  border-radius: var(--radius);
  font: 400 0.9375rem / 1.45 var(--agidb-font, Inter, system-ui, sans-serif);
  font-variant-numeric: tabular-nums;
}
:host([hidden]), [hidden] { display: none !important; }
*, ::before, ::after { box-sizing: border-box; }
h1, h2, h3, p, ul, ol, dl, dd, blockquote, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
h2:focus-visible, li:focus-visible { outline-offset: 4px; border-radius: 4px; }
button, input, select, textarea { font: inherit; color: inherit; }
input, select, textarea {
  inline-size: 100%;
  min-inline-size: 0;
  min-block-size: 2.5rem;
  padding: 0.4rem 0.65rem;
  border: 1px solid var(--edge);
  border-radius: calc(var(--radius) - 2px);
  background: var(--surface);
}
textarea { resize: vertical; }
.code, code, pre { font-family: ui-monospace, monospace; font-size: 0.875em; }
::placeholder { color: var(--soft); opacity: 1; }
input[type="checkbox"] {
  inline-size: 1.25rem;
  min-block-size: 1.25rem;
  accent-color: var(--accent);
  flex: none;
  margin: 0;
}
button {
  min-block-size: 2.25rem;
  padding: 0.35rem 0.8rem;
  border: 1px solid var(--edge);
  border-radius: calc(var(--radius) - 2px);
  background: var(--surface);
  font-weight: 550;
  cursor: pointer;
}
button:hover { border-color: var(--accent); color: var(--accent); }
button:disabled { opacity: 0.55; cursor: default; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.danger { background: var(--bad); border-color: var(--bad); color: var(--on-bad); }
button.main:hover, button.danger:hover { filter: brightness(1.08); }
button.bad { color: var(--bad); }
button.quiet { border-color: transparent; background: none; color: var(--accent); }
button.link {
  min-block-size: 1.5rem;
  padding: 0;
  border: 0;
  background: none;
  color: inherit;
  font-weight: 400;
  text-align: start;
  text-decoration: underline var(--edge);
  text-underline-offset: 3px;
  overflow-wrap: anywhere;
}
button.link:hover { color: var(--accent); text-decoration-color: currentColor; }
.note { color: var(--soft); font-size: 0.875rem; overflow-wrap: anywhere; }
.nothing { padding: 2rem 1rem; color: var(--soft); text-align: center; }
.wrong { color: var(--bad); }
.good { color: var(--good); }
.moves { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.moves.end { justify-content: flex-end; }
.field { display: grid; gap: 0.25rem; align-content: start; }
.label { font-size: 0.8125rem; font-weight: 600; color: var(--soft); }
.tick { display: flex; gap: 0.6rem; align-items: center; min-block-size: 2rem; }
.fields {
  display: grid;
  gap: 0.75rem;
  grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr));
  align-items: end;
}
.mark {
  padding: 0.05rem 0.45rem;
  border: 1px solid var(--line);
  border-radius: 99px;
  font-size: 0.75rem;
  white-space: nowrap;
}
.mark.replaced, .mark.abandoned, .mark.memory { color: var(--bad); }
.mark.active, .mark.strict { color: var(--good); }
.bar {
  display: block;
  block-size: 0.375rem;
  border-radius: 99px;
  background: var(--line);
  overflow: hidden;
}
.bar > span { display: block; block-size: 100%; border-radius: 99px; background: var(--accent); }
.bar.against { background: var(--line); }
.bar.against > span { background: var(--bad); }
.sure {
  display: grid;
  grid-template-columns: 5rem 1fr;
  gap: 0.6rem;
  align-items: center;
  font-size: 0.875rem;
}
.facts {
  display: grid;
  grid-template-columns: max-content minmax(0, 1fr);
  gap: 0.25rem 1rem;
  font-size: 0.875rem;
}
.facts dt { color: var(--soft); }
.facts dd { overflow-wrap: anywhere; }
.facts pre { overflow-x: auto; padding: 0.5rem; background: var(--ground); border-radius: 6px; }
.tags { display: flex; flex-wrap: wrap; gap: 0.35rem; }
.tags li {
  padding: 0.1rem 0.55rem;
  border-radius: 99px;
  background: var(--wash);
  font-size: 0.8125rem;
}
summary { cursor: pointer; padding-block: 0.25rem; min-block-size: 1.5rem; }
meter, progress { inline-size: 8rem; accent-color: var(--accent); }
progress { inline-size: 100%; }
dialog {
  inline-size: min(40rem, calc(100vw - 1.5rem));
  max-block-size: calc(100dvh - 1.5rem);
  padding: 0;
  border: 1px solid var(--line);
  border-radius: calc(var(--radius) + 4px);
  background: var(--ground);
  color: var(--ink);
  box-shadow: 0 20px 60px rgb(0 0 0 / 30%);
}
dialog::backdrop { background: rgb(0 0 0 / 45%); }
dialog form { display: grid; gap: 1rem; padding: 1.25rem; grid-template-columns: minmax(0, 1fr); }
dialog h2 { font-size: 1.25rem; }
dialog h3 { font-size: 0.9375rem; }
blockquote { overflow-wrap: anywhere; white-space: pre-wrap; }
dialog blockquote {
  padding: 0.6rem 0.9rem;
  border-inline-start: 3px solid var(--accent);
  background: var(--surface);
}
@media (prefers-reduced-motion: no-preference) {
  button, .row { transition: border-color 0.12s, background-color 0.12s; }
}
`
