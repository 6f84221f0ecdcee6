import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { dates } from '../format';
import { useWords } from '../i18n';
import { useStore } from '../store';
import { colour, dark } from '../theme';
import { above, ceiling, common, steps, timeRange } from './scale';

export interface Line {
  label: string;
  /** Custom property of its colour. */
  colour: string;
  values: (number | null)[];
}

interface PlotProps {
  title: string;
  /** Seconds since 1970. */
  times: number[];
  lines: Line[];
  /** How far back the plot goes. */
  seconds: number;
  /** A value as people read it. */
  write: (n: number | null) => string;
  /** Bytes have round numbers of their own. */
  binary?: boolean;
  /** Players are whole. */
  whole?: boolean;
  /** What is too much; drawn where the lines come near it. */
  limit?: number | undefined;
  /** Lone peaks do not set the scale: they end at the top, with their values. */
  lonePeaks?: boolean;
}

const height = 190; // px
const endRoom = 80; // px to the right of the lines, for their values

/** A colour that lets through what lies behind. */
function faint(full: string): string {
  return full.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.13)');
}

/** Draws the limit, and each line's newest value at its end. */
function annotate(u: uPlot, lines: readonly Line[], write: PlotProps['write'], limit: number | undefined, warn: string): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  if (limit !== undefined && limit <= (u.scales.y?.max ?? 0)) {
    const y = u.valToPos(limit, 'y', true);
    ctx.strokeStyle = warn;
    ctx.lineWidth = ratio;
    ctx.setLineDash([5 * ratio, 4 * ratio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  const ends = lines
    .map((line) => ({ line, i: line.values.findLastIndex((v) => v !== null) }))
    .filter(({ i }) => i >= 0)
    .map(({ line, i }) => ({ line, value: line.values[i]!, x: u.valToPos(u.data[0][i]!, 'x', true), y: Math.max(bbox.top, u.valToPos(line.values[i]!, 'y', true)) }))
    .sort((a, b) => a.y - b.y);
  // Values that would lie on each other stand above each other, none of them over the time.
  const [apart, lowest] = [14 * ratio, bbox.top + bbox.height - 4 * ratio];
  const heights = ends.map(({ y }) => Math.min(y, lowest));
  for (let i = heights.length - 2; i >= 0; i--) heights[i] = Math.min(heights[i]!, heights[i + 1]! - apart);
  for (const [i, end] of ends.entries()) {
    ctx.fillStyle = colour(end.line.colour);
    ctx.beginPath();
    ctx.arc(end.x, end.y, 3 * ratio, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillText(write(end.value), bbox.left + bbox.width + 7 * ratio, heights[i]!);
  }
  annotatePeaks(u, lines, write, ratio);
  ctx.restore();
}

/** Writes the values of peaks that end at the top, the greatest first, as far as there is room. */
function annotatePeaks(u: uPlot, lines: readonly Line[], write: PlotProps['write'], ratio: number): void {
  const { ctx, bbox } = u;
  const taken: [left: number, right: number][] = [];
  for (const line of lines) {
    ctx.fillStyle = colour(line.colour);
    for (const i of above(line.values, u.scales.y?.max ?? Infinity)) {
      const text = `↑ ${write(line.values[i]!)}`;
      const wide = ctx.measureText(text).width;
      const left = Math.min(bbox.left + bbox.width - wide, u.valToPos(u.data[0][i]!, 'x', true) + 5 * ratio);
      if (left < bbox.left || taken.some(([l, r]) => left < r + 6 * ratio && left + wide > l - 6 * ratio)) continue;
      taken.push([left, left + wide]);
      ctx.fillText(text, left, bbox.top + 7 * ratio);
    }
  }
}

/** Lines over time. All plots of a page have one cursor; their values are those under it, or the newest. */
export function Plot(props: PlotProps) {
  const { title, times, lines, seconds, write, binary, whole, limit, lonePeaks } = props;
  const t = useWords();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const now = useRef(props);
  now.current = props;
  const [at, setAt] = useState<number | null>(null);
  const isDark = useStore(dark);

  useEffect(() => {
    const host = box.current!;
    const ink = colour('--quiet');
    const warn = colour('--bad');
    const grid = { stroke: colour('--line'), width: 1 };
    const size = () => ({ width: host.clientWidth || 300, height });
    plot.current = new uPlot(
      {
        ...size(),
        legend: { show: false },
        padding: [8, endRoom, 0, 4],
        cursor: { drag: { x: false, y: false }, sync: { key: 'page' }, points: { size: 6 } },
        scales: {
          x: { range: (_, first, last) => timeRange(first, last, seconds) },
          y: { range: (_, __, most) => [0, ceiling(lonePeaks ? Math.max(...now.current.lines.map((l) => common(l.values))) : (most ?? 0), limit, Boolean(whole))] },
        },
        axes: [
          { stroke: ink, grid: { show: false }, ticks: grid, size: 32, values: (_, all) => all.map((s) => new Date(s * 1000).toLocaleTimeString(dates[t.language], { hour: '2-digit', minute: '2-digit' })) },
          { stroke: ink, grid, ticks: { show: false }, gap: 6, space: 36, size: 66, incrs: steps({ binary, whole }), values: (_, all) => all.map((v) => write(v)) },
        ],
        series: [
          {},
          ...lines.map((line, i) => ({ label: line.label, stroke: colour(line.colour), width: 1.6, points: { show: false }, ...(i === 0 ? { fill: faint(colour(line.colour)) } : {}) })),
        ],
        hooks: {
          draw: [(u) => annotate(u, now.current.lines, now.current.write, now.current.limit, warn)],
          setCursor: [(u) => setAt(u.cursor.idx ?? null)],
        },
      },
      [times, ...lines.map((line) => line.values)],
      host,
    );
    const watch = new ResizeObserver(() => plot.current?.setSize(size()));
    watch.observe(host);
    return () => {
      watch.disconnect();
      plot.current?.destroy();
    };
  }, [isDark, t, title, seconds]);

  useEffect(() => {
    plot.current?.setData([times, ...lines.map((line) => line.values)]);
  }, [times, lines]);

  const shown = (line: Line) => write((at === null ? line.values.at(-1) : line.values[at]) ?? null);
  const newest = lines.map((line) => `${line.label} ${write(line.values.at(-1) ?? null)}`).join(', ');
  return (
    <section class="card plot">
      <header>
        <h2>{title}</h2>
        {at !== null && times[at] !== undefined && <small>{new Date(times[at]! * 1000).toLocaleTimeString(dates[t.language])}</small>}
        <ul>
          {lines.map((line) => (
            <li key={line.label}>
              <span class="swatch" style={{ background: `var(${line.colour})` }} aria-hidden="true" />
              {line.label} <strong>{shown(line)}</strong>
            </li>
          ))}
          {limit !== undefined && <li class="limit">{t('limitIs', { value: write(limit) })}</li>}
        </ul>
      </header>
      <div ref={box} role="img" aria-label={`${title}: ${newest}`} />
    </section>
  );
}
