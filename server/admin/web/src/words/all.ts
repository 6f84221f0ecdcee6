import { learn } from '../i18n';
import { en } from './en';
import { ru } from './ru';

// Gives the page all words: those of administrators and of players.
learn({ ru, en });
