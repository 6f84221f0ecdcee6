import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { useWords } from '../i18n';
import { useStore } from '../store';
import { colour, dark } from '../theme';

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
  /** What the plot says to those who listen. */
  lastHeard: string;
}

const least = 300; // seconds

/** From when to when a plot goes: as far back as it may, but not further than anything is known, and some minutes at least. */
export function timeRange(first: number | null, last: number | null, seconds: number): [number, number] {
  const end = last ?? 0;
  return [Math.max(end - seconds, Math.min(first ?? end, end - least)), end];
}

/** Lines over time. */
export function Plot(props: PlotProps) {
  const { title, times, lines, seconds, write, lastHeard } = props;
  const t = useWords();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const isDark = useStore(dark);

  useEffect(() => {
    const host = box.current!;
    const ink = colour('--quiet');
    const grid = { stroke: colour('--line'), width: 1 };
    plot.current = new uPlot(
      {
        width: host.clientWidth || 300,
        height: 170,
        legend: { live: true },
        cursor: { drag: { x: false, y: false } },
        scales: { x: { range: (_, first, last) => timeRange(first, last, seconds) }, y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
        axes: [
          { stroke: ink, grid, ticks: grid, values: (_, all) => all.map((at) => new Date(at * 1000).toLocaleTimeString(t.language, { hour: '2-digit', minute: '2-digit' })) },
          { stroke: ink, grid, ticks: grid, size: 86, values: (_, all) => all.map((v) => write(v)) },
        ],
        series: [
          { label: t('time'), value: (_, at) => (at ? new Date(at * 1000).toLocaleTimeString(t.language) : '–') },
          ...lines.map((line) => ({ label: line.label, stroke: colour(line.colour), width: 1.5, points: { show: false }, value: (_: uPlot, v: number | null) => write(v) })),
        ],
      },
      [times, ...lines.map((line) => line.values)],
      host,
    );
    const watch = new ResizeObserver(() => plot.current?.setSize({ width: host.clientWidth || 300, height: 170 }));
    watch.observe(host);
    return () => {
      watch.disconnect();
      plot.current?.destroy();
    };
  }, [isDark, t, title, seconds]);

  useEffect(() => {
    plot.current?.setData([times, ...lines.map((line) => line.values)]);
  }, [times, lines]);

  return (
    <section class="card plot">
      <h2>{title}</h2>
      <div ref={box} role="img" aria-label={`${title}: ${lastHeard}`} />
    </section>
  );
}
