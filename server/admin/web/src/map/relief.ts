import L from 'leaflet';
import { useEffect } from 'preact/hooks';
import type { Geography } from '../answers';
import { served } from '../served';
import { toLatLng } from './projection';

/** The zooms that the server draws; nearer ones are those, larger. */
const nearest = 2;
const farthest = -5;
const size = 256; // pixels
const again = 3000; // ms until a tile that did not come is asked for again, and twice that the next time
const tries = 4;
const walkedOn = 60_000; // ms after which players have walked on

/** Whether the land of an area was imported. */
export function hasRelief(geography: Geography, area: string): boolean {
  return landOf(geography, area) !== null;
}

function landOf(geography: Geography, area: string): [number, number, number, number] | null {
  return geography.areas.find((a) => a.key === area)?.relief ?? null;
}

/** The address of tiles, as the map library fills it in. */
export function tilesOf(geography: Geography, area: string, dark: boolean): string {
  return served(`/api/map/tiles/${dark ? 'dark' : 'light'}/${encodeURIComponent(area)}/{z}/{x}/{y}?v=${encodeURIComponent(geography.version)}`);
}

/** The address of a tile that did not come, for the next time; null when it was asked for often enough. */
export function nextTry(address: string): string | null {
  const url = new URL(address);
  const n = Number(url.searchParams.get('try') ?? 1) + 1;
  if (n > tries) return null;
  url.searchParams.set('try', String(n));
  return url.href;
}

/** Pictures of the map. Those of the map library itself begin with an address that the page's policy forbids. */
class Tiles extends L.GridLayer {
  constructor(private readonly address: string, options: L.GridLayerOptions) {
    super(options);
    this.on('tileloadstart', ({ tile }: L.TileEvent) => {
      tile.style.width = tile.style.height = `${size + 1}px`; // where a zoom is between two, edges do not meet else
    });
    this.on('tileunload', ({ tile }: L.TileEvent) => {
      const image = tile as HTMLImageElement;
      image.onload = image.onerror = null;
      image.removeAttribute('src'); // nobody waits for it any more
    });
  }

  protected override createTile(at: L.Coords, done: L.DoneCallback): HTMLElement {
    const image = new Image();
    image.alt = '';
    image.onload = () => done(undefined, image);
    image.onerror = () => {
      const next = nextTry(image.src);
      if (!next) done(new Error(image.src), image); // and it is not shown
      else setTimeout(() => image.onerror && (image.src = next), again * Number(new URL(next).searchParams.get('try')));
    };
    image.src = L.Util.template(this.address, at);
    return image;
  }

  /** Asks for all that is shown anew; what is there stays until then. */
  refresh(): void {
    for (const image of this.getContainer()?.querySelectorAll('img') ?? []) {
      const url = new URL(image.src);
      url.searchParams.set('at', String(Math.floor(Date.now() / walkedOn)));
      image.src = url.href;
    }
  }
}

/** Shows the tiles of an area below everything that moves; none for ''. */
export function useRelief(chart: { current: L.Map | undefined }, geography: Geography, area: string, dark: boolean): void {
  useEffect(() => {
    const map = chart.current;
    if (!map || !area) return undefined;
    const land = landOf(geography, area);
    const layer = new Tiles(tilesOf(geography, area, dark), {
      minZoom: map.getMinZoom(),
      maxZoom: map.getMaxZoom(),
      minNativeZoom: farthest,
      maxNativeZoom: nearest,
      ...(land && { bounds: [toLatLng({ x: land[0], z: land[1] }), toLatLng({ x: land[2], z: land[3] })] }),
      className: 'relief-tiles',
      updateWhenZooming: false,
    }).addTo(map);
    // Where ways are all there is, they come while one looks.
    const timer = land ? 0 : setInterval(() => !document.hidden && layer.refresh(), walkedOn);
    return () => {
      clearInterval(timer);
      layer.remove();
    };
  }, [geography, area, dark]);
}
