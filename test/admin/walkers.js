// A crowd that there is not: stands between a browser and a server, and tells the page of thousands of players who walk.
import { createServer, request } from 'node:http';

const step = 4; // metres of a walker in a second

/**
 * Passes requests on to a server, but for the stream of events: that one tells of so many walkers around some points. Every walker
 * walks in every second.
 */
export async function crowd(upstream, points, count) {
  const { host, hostname, port } = new URL(upstream);
  let state = 7;
  const chance = () => (state = (state * 48271) % 2147483647) / 2147483647; // the same crowd each time
  const walkers = Array.from({ length: count }, (_, i) => {
    const from = points[i % points.length];
    return { id: i + 1, x: from.x + 300 * (chance() - 0.5), y: from.y, z: from.z + 300 * (chance() - 0.5), yaw: 6.28 * chance() };
  });
  const positions = () =>
    walkers.map((w) => {
      w.yaw += chance() - 0.5;
      w.x += step * Math.sin(w.yaw);
      w.z += step * Math.cos(w.yaw);
      return [w.id, w.x, w.y, w.z, w.yaw].map((v) => Math.round(v * 100) / 100);
    });
  const added = () =>
    walkers.map((w) => ({
      ...{ id: w.id, character: w.id, name: `Walker${w.id}`, account: `walker${w.id}`, role: 'player', place: { ru: '', en: '' } },
      ...{ level: { title: 1 + (w.id % 60), degree: 1, titleRebirths: 0, degreeRebirths: 0 }, hp: 100, maxHp: 100, clan: '' },
      ...{ entered: new Date().toISOString(), minutes: 1, area: 'hyperion', x: w.x, y: w.y, z: w.z, yaw: w.yaw, pingMs: null, bytesIn: 0, bytesOut: 0 },
    }));
  const server = createServer((asked, answer) => {
    if (asked.url === '/api/events') {
      answer.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const tell = (event) => answer.write(`event: players\ndata: ${JSON.stringify({ at: new Date().toISOString(), positions: positions(), removed: [], ...event })}\n\n`);
      tell({ added: added() });
      const timer = setInterval(() => tell({ added: [] }), 1000);
      answer.on('close', () => clearInterval(timer));
      return;
    }
    const headers = { ...asked.headers, host, ...(asked.headers.origin && { origin: upstream }) };
    const passed = request({ hostname, port, path: asked.url, method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Looks at so many frames that the page draws, or at those of two minutes: how many there are in a second, and how long the page takes
 * for one, in ms: for half of them at most, and for each.
 */
export async function frames(page, count) {
  const { took, lasted } = await page.evaluate(
    (wanted) =>
      new Promise((done) => {
        const took = [];
        const ask = window.requestAnimationFrame;
        const first = performance.now();
        const end = () => {
          window.requestAnimationFrame = ask;
          done({ took, lasted: performance.now() - first });
        };
        const timer = setTimeout(end, 120_000);
        window.requestAnimationFrame = (draw) =>
          ask((now) => {
            const began = performance.now();
            draw(now);
            took.push(performance.now() - began);
            if (took.length === wanted) {
              clearTimeout(timer);
              end();
            }
          });
      }),
    count,
  );
  const sorted = took.sort((a, b) => a - b);
  return { drawn: took.length, each: (1000 * took.length) / lasted, half: sorted[Math.floor(sorted.length / 2)], most: sorted.at(-1) };
}
