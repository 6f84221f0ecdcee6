import 'leaflet/dist/leaflet.css';
import '../style/base.css';
import '../style/shell.css';
import '../style/parts.css';
import '../style/pages.css';
import './public.css';
import '../theme';
import '../words/players';
import { render } from 'preact';
import { PublicPage } from './app';

render(<PublicPage />, document.getElementById('app')!);
