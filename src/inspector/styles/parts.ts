/** The parts of the inspector: wide ones side by side, narrow ones one after the other. */
export const PARTS = `
.top {
  display: flex;
  flex-wrap: wrap;
  gap: 0.15rem 0.9rem;
  align-items: baseline;
  padding: 0.9rem 1.1rem 0.4rem;
}
.top h1 { font-size: 1.25rem; letter-spacing: -0.01em; }
.holds { color: var(--soft); font-size: 0.875rem; }
.tabs {
  display: flex;
  gap: 0.15rem;
  padding-inline: 0.7rem;
  overflow-x: auto;
  border-block-end: 1px solid var(--line);
  flex: none;
  scrollbar-width: none;
}
.tabs button {
  border: 0;
  border-radius: 0;
  border-block-end: 3px solid transparent;
  background: none;
  min-block-size: 2.75rem;
  padding: 0.35rem 0.7rem;
  color: var(--soft);
  white-space: nowrap;
}
.tabs button[aria-selected="true"] { color: var(--ink); border-block-end-color: var(--accent); }
.tabs button:focus-visible { outline-offset: -3px; }
.panel { flex: 1; min-block-size: 0; overflow: auto; }
.page {
  display: grid;
  gap: 1rem;
  padding: 1.1rem;
  max-inline-size: 56rem;
  align-content: start;
  grid-template-columns: minmax(0, 1fr);
}
.page h2 { font-size: 1rem; margin-block-start: 0.5rem; }
.state, .report { display: grid; gap: 0.6rem; }
.report:empty { display: none; }
.report ul, .state ul { font-size: 0.875rem; display: grid; gap: 0.25rem; }

.search { display: flex; gap: 0.5rem; }
.split {
  display: grid;
  block-size: 100%;
  grid-template-columns: minmax(0, 1fr);
  grid-template-rows: minmax(0, 1fr);
}
.found {
  display: flex;
  flex-direction: column;
  gap: 0.6rem;
  min-block-size: 0;
  padding: 0.9rem 0 0;
}
.found > * { margin-inline: 1.1rem; }
.filters .fields { padding-block: 0.5rem; }
.filters > summary {
  color: var(--soft);
  font-size: 0.875rem;
  font-weight: 600;
  inline-size: max-content;
}
.filters .fields {
  grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
  max-block-size: 40cqb;
  overflow: auto;
  padding: 4px;
  margin: -4px;
}
.columns {
  display: flex;
  align-items: flex-end;
  gap: 1px;
  block-size: 2.5rem;
  border-block-end: 1px solid var(--line);
}
.column { flex: 1; display: flex; align-items: flex-end; block-size: 100%; cursor: pointer; }
.column > span {
  inline-size: 100%;
  border-radius: 2px 2px 0 0;
  background: var(--accent);
  opacity: 0.55;
}
.column:hover { background: var(--wash); }
.column:hover > span { opacity: 1; }
.ends { display: flex; justify-content: space-between; font-size: 0.75rem; color: var(--soft); }
.told { color: var(--soft); font-size: 0.875rem; min-block-size: 1.45em; }
.found > .list {
  flex: 1;
  min-block-size: 8rem;
  overflow-y: auto;
  margin-inline: 0;
  border-block-start: 1px solid var(--line);
  overscroll-behavior: contain;
  contain: strict;
}
.list:focus-visible { outline-offset: -3px; }
.sizer { position: relative; }
.row {
  position: absolute;
  inset: 0 0 auto;
  block-size: 5.25rem;
  padding: 0.55rem 1.1rem;
  border-block-end: 1px solid var(--line);
  cursor: pointer;
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  grid-template-rows: 1fr auto;
  gap: 0.1rem 0.75rem;
  contain: content;
}
.row.probe { visibility: hidden; }
.row:hover { background: var(--surface); }
.row[aria-selected="true"] { background: var(--wash); }
.list:focus-visible .row.active {
  box-shadow: inset 4px 0 0 var(--accent);
  background: var(--surface);
}
.row .text {
  grid-column: 1 / -1;
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
  overflow: hidden;
  overflow-wrap: anywhere;
  line-height: 1.35;
}
.byline {
  display: flex;
  gap: 0.5rem;
  align-items: center;
  font-size: 0.8125rem;
  color: var(--soft);
  overflow: hidden;
  white-space: nowrap;
}
.byline strong {
  color: var(--ink);
  overflow: hidden;
  text-overflow: ellipsis;
  flex: 0 1 auto;
  min-inline-size: 2rem;
}
.byline > span:not(.mark) { overflow: hidden; text-overflow: ellipsis; }
.row .sure {
  grid-template-columns: 3rem 2.75rem;
  gap: 0.4rem;
  font-size: 0.8125rem;
  justify-items: stretch;
  text-align: end;
}
.row .sure.nearest .bar > span, .row .sure.gist .bar > span { opacity: 0.6; }

.record {
  display: none;
  min-block-size: 0;
  overflow: auto;
  padding: 0.9rem 1.1rem 2rem;
  background: var(--surface);
  gap: 1.1rem;
  align-content: start;
  grid-template-columns: minmax(0, 1fr);
}
.open .record { display: grid; }
.open .found { display: none; }
.record header {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1rem;
  align-items: baseline;
  justify-content: space-between;
}
.record header .quiet { padding-inline: 0; }
.record h2 { font-size: 1.0625rem; overflow-wrap: anywhere; }
.record h3 {
  font-size: 0.8125rem;
  color: var(--soft);
  text-transform: uppercase;
  letter-spacing: 0.04em;
}
.record section {
  display: grid;
  gap: 0.5rem;
  padding-block-start: 0.9rem;
  border-block-start: 1px solid var(--line);
  grid-template-columns: minmax(0, 1fr);
}
.quote { display: grid; gap: 0.5rem; }
.quote > blockquote { font-size: 1.125rem; line-height: 1.5; }
.quote.gone > blockquote, .item.gone > .text {
  text-decoration: line-through;
  text-decoration-color: var(--edge);
  color: var(--soft);
}
.signals { display: grid; gap: 0.3rem; font-size: 0.875rem; }
.signals li {
  display: grid;
  grid-template-columns: minmax(0, 1fr) 5rem 3rem;
  gap: 0.6rem;
  align-items: center;
}
.number { text-align: end; color: var(--soft); }
.past, .near, .statements { display: grid; gap: 0.5rem; font-size: 0.9375rem; }
.past blockquote {
  padding-inline-start: 0.75rem;
  border-inline-start: 3px solid var(--line);
  margin-block: 0.25rem;
}
.media img { max-inline-size: 100%; max-block-size: 20rem; border-radius: 8px; }

.items { display: grid; gap: 0.6rem; grid-template-columns: minmax(0, 1fr); }
.item {
  display: grid;
  gap: 0.45rem;
  padding: 0.8rem 1rem;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: var(--radius);
  grid-template-columns: minmax(0, 1fr);
}
.item .text { font-size: 1.0625rem; overflow-wrap: anywhere; }
.item .item { background: var(--ground); }
.item > ul[aria-label^="What serves"] { display: grid; gap: 0.5rem; margin-block-start: 0.3rem; }
.item.over > .text { color: var(--soft); }
.criteria { list-style: disc; padding-inline-start: 1.25rem; font-size: 0.875rem; }
.outline, .outline ul { display: grid; gap: 0.2rem; padding-inline-start: 1rem; }
.cascade {
  display: grid;
  gap: 0.4rem;
  max-block-size: 16rem;
  overflow: auto;
  font-size: 0.9375rem;
}
.cascade ul { display: grid; gap: 0.2rem; padding-inline-start: 1rem; list-style: disc; }
.cascade ul ul { color: var(--soft); font-size: 0.875rem; list-style: none; }

.message {
  position: absolute;
  inset: auto 0 0.75rem;
  margin: auto;
  inline-size: fit-content;
  max-inline-size: calc(100% - 1.5rem);
  display: flex;
  flex-wrap: wrap;
  gap: 0.4rem 0.75rem;
  align-items: center;
  padding: 0.45rem 0.6rem 0.45rem 1rem;
  background: var(--surface);
  border: 1px solid var(--edge);
  border-radius: var(--radius);
  box-shadow: 0 8px 30px rgb(0 0 0 / 18%);
  overflow-wrap: anywhere;
  z-index: 1;
}
.message:empty { display: none; }
.message.wrong { background: var(--bad-wash); border-color: var(--bad); }

@container (min-width: 54rem) {
  .split { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); }
  .split > .found, .open > .found { display: flex; }
  .record { display: grid; border-inline-start: 1px solid var(--line); }
}
@container (max-width: 26rem) {
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd { margin-block-end: 0.4rem; }
  .signals li { grid-template-columns: minmax(0, 1fr) 3rem 2.75rem; }
}
`
