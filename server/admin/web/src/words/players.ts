import { learn } from '../i18n';
import { playersEn } from './players.en';
import { playersRu } from './players.ru';

// Gives the players' page its words, and no others: a test compares them with what its files ask for.
learn({ ru: playersRu, en: playersEn });
