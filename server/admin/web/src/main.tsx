import 'leaflet/dist/leaflet.css';
import 'uplot/dist/uPlot.min.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import './style/pages.css';
import './theme';
import './words/all';
import { render } from 'preact';
import { App } from './app';

render(<App />, document.getElementById('app')!);
