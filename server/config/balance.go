package config

import (
	"strconv"
	"strings"
	"time"

	"sphereserver/world/rules"
)

// BalanceFile is the balance file in a data folder.
const BalanceFile = "balance.toml"

// balance is the balance file: every number of fights and journeys that is chosen and not known. Its keys have neither flags nor
// variables of the environment, and all count while the server runs.
var balance = newDocument([]Table{
	{"strength", "How strong monsters are: for a whole world that is easier or harder, begin here, and with " +
		"experience.factor",
		"Насколько сильны монстры: чтобы весь мир стал легче или труднее, начните отсюда и с experience.factor", "",
		strengthBalance},
	{"rates", "How many times as much there is: always, like \"2\", each week, like \"2 every weekend\" or \"1.5 every " +
		"friday and saturday 18:00-02:00\", or once, like \"3 from 2026-12-31 18:00 to 2027-01-02\"",
		"Во сколько раз всего больше: всегда, например «2», каждую неделю, например «2 every weekend» или «1.5 every " +
			"friday and saturday 18:00-02:00», или один раз, например «3 from 2026-12-31 18:00 to 2027-01-02»", "", ratesBalance},
	{"damage", "How hard blows hit", "Насколько сильны удары", "", damageBalance},
	{"blows", "When and from where a blow counts", "Когда и откуда засчитывается удар", "", blowsBalance},
	{"monsters", "How monsters behave", "Как ведут себя монстры", "", monstersBalance},
	{"spawns", "Where and how often monsters come; those who are there already stay as they are, " +
		"but for places that are no more",
		"Где и как часто появляются монстры; кто уже есть, остаётся каким был, если его место не исчезло", "", spawnsBalance},
	{"death", "What dying costs, and living again", "Чего стоит смерть и возвращение", "", deathBalance},
	{"karma", "What changes karma", "Что меняет карму", "", karmaBalance},
	{"experience", "What a kill teaches", "Чему учит победа", "", experienceBalance},
	{"loot", "What monsters leave", "Что оставляют монстры", "", lootBalance},
	{"effects", "What effects do", "Что делают эффекты", "", effectsBalance},
	{"players", "Players against players", "Игроки против игроков", "", playersBalance},
	{"travel", "Tokens, teleports, licences, keys", "Жетоны, телепорты, лицензии, ключи", "", travelBalance},
	{"missions", "What missions give, and where they lead", "Что дают задания и куда ведут", "", missionsBalance},
	{"chests", "Chests in the dungeons of missions", "Сундуки в подземельях заданий", "", chestsBalance},
})

// number is a key of the balance file.
func number(name string, value any, least, most, english, russian string) Key {
	return live(bounded(name, value, least, most, english, russian))
}

func ratesBalance(s *Settings) []Key {
	keys := make([]Key, 0, rules.RateKinds)
	for k := range rules.RateKinds {
		keys = append(keys, number(k.Name("en"), wordList[rules.RatePlan]{word[rules.RatePlan]{&s.Balance.Rates[k], ratesText,
			parseRates}}, "", "", rateDocs[k].English, rateDocs[k].Russian))
	}
	return keys
}

var rateDocs = [rules.RateKinds]struct{ English, Russian string }{
	rules.ExperienceRate: {"experience of kills and missions, so many times as much",
		"опыта за победы и задания — во столько раз больше"},
	rules.DropRate: {"things that monsters leave, so many times as many, up to what a bag holds",
		"вещей с монстров — во столько раз больше, сколько вмещает мешок"},
	rules.MoneyRate: {"coins of missions and of the newcomers' monster, so many times as many",
		"монет за задания и с монстра новичков — во столько раз больше"},
	rules.RespawnRate: {"monsters come again so many times as often",
		"монстры возвращаются во столько раз чаще"},
}

func ratesText(p rules.RatePlan) string {
	words := make([]string, len(p))
	for i := range p {
		words[i] = p[i].Text("en")
	}
	return strings.Join(words, ",")
}

func parseRates(text string) (p rules.RatePlan, err error) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		r, ok := rules.ParseRate(part, time.Local)
		if !ok {
			return nil, wrong(`expected a factor from %v to %v and perhaps when it counts, like "2", "2 every weekend", "2 `+
				`every friday 18:00-23:00" or "2 from 2026-12-31 18:00 to 2027-01-02", found %q`,
				"нужен множитель от %v до %v и, может быть, когда он действует, например «2», «2 every weekend», «2 every friday "+
					"18:00-23:00» или «2 from 2026-12-31 18:00 to 2027-01-02», а не %q", rules.LeastRate, rules.MostRate, part)
		}
		if p = append(p, r); len(p) > maxRates {
			return nil, wrong("expected at most %d rates", "нужно не больше %d множителей", maxRates)
		}
	}
	if one, other := p.Clash(); one != nil {
		return nil, wrong("expected rates that do not overlap, unlike %q and %q",
			"нужны множители, которые не пересекаются, а не %q и %q", one.Text("en"), other.Text("en"))
	}
	return p, nil
}

// maxRates is how many rates of a kind the file may have.
const maxRates = 100

func deathBalance(s *Settings) []Key {
	b := &s.Balance.Death
	return []Key{
		number("revive", &b.Revive, "0s", "1h",
			"after which time one lives again",
			"через сколько оживает погибший"),
		number("hp", &b.HP, "1", "65535",
			"HP with which one lives again, at most",
			"с каким HP он оживает, не больше"),
		number("protection", &b.Protection, "0s", "1h",
			"how long one is then left alone",
			"сколько его потом не трогают"),
		number("experience", &b.Experience, "0", "1",
			"part of the experience of both careers that is lost",
			"какая доля опыта титула и степени теряется"),
		number("from-level", &b.FromLevel, "0", "240",
			"below this level no experience is lost",
			"ниже этого уровня опыт не теряется"),
		number("thing", &b.Thing, "0", "1",
			"chance that who has bad karma loses a thing",
			"вероятность, что погибший с плохой кармой теряет "+
				"вещь"),
		number("satiety", &b.Satiety, "0", "1000",
			"satiety that is lost",
			"сколько теряется сытости"),
		number("position-each", &b.PositionEach, "100ms", "9s",
			"how often the client of who is dead is answered",
			"как часто сервер отвечает клиенту погибшего"),
	}
}

func karmaBalance(s *Settings) []Key {
	b := &s.Balance.Karma
	return []Key{
		number("monster-1", &b.Monster[1], "-1000000", "1000000",
			"change by killing a monster of band 1, very bad",
			"изменение за монстра с кармой 1 (очень плохая)"),
		number("monster-2", &b.Monster[2], "-1000000", "1000000",
			"change by killing a monster of band 2, bad",
			"изменение за монстра с кармой 2 (плохая)"),
		number("monster-3", &b.Monster[3], "-1000000", "1000000",
			"change by killing a monster of band 3, neutral",
			"изменение за монстра с кармой 3 (нейтральная)"),
		number("monster-4", &b.Monster[4], "-1000000", "1000000",
			"change by killing a monster of band 4, good",
			"изменение за монстра с кармой 4 (хорошая)"),
		number("monster-5", &b.Monster[5], "-1000000", "1000000",
			"change by killing a monster of band 5, benign",
			"изменение за монстра с кармой 5 (благая)"),
		number("player-1", &b.Player[1], "-1000000", "1000000",
			"change by killing a player of band 1",
			"изменение за игрока с кармой 1"),
		number("player-2", &b.Player[2], "-1000000", "1000000",
			"change by killing a player of band 2",
			"изменение за игрока с кармой 2"),
		number("player-3", &b.Player[3], "-1000000", "1000000",
			"change by killing a player of band 3",
			"изменение за игрока с кармой 3"),
		number("player-4", &b.Player[4], "-1000000", "1000000",
			"change by killing a player of band 4",
			"изменение за игрока с кармой 4"),
		number("player-5", &b.Player[5], "-1000000", "1000000",
			"change by killing a player of band 5",
			"изменение за игрока с кармой 5"),
		number("suicide", &b.Suicide, "-1000000", "1000000",
			"change by killing oneself",
			"изменение за самоубийство"),
		number("kindness", &b.Kindness, "-1000000", "1000000",
			"change by a good spell on another player",
			"изменение за добрую мантру на другого игрока"),
		number("kind-each", &b.KindEach, "0s", "24h",
			"a good spell on another player changes karma not more often than once in this time",
			"добрая мантра на другого игрока меняет карму не чаще раза за это время"),
		number("self-defence", &b.SelfDefence, "0s", "24h",
			"who was hit by the other within this time loses no karma for killing him",
			"кого другой ударил за это время, тот не теряет карму, "+
				"убив его"),
	}
}

func experienceBalance(s *Settings) []Key {
	b := &s.Balance.Experience
	return []Key{
		number("factor", &b.Factor, "0", "1000000",
			"all experience of kills, times this",
			"весь опыт за победы умножается на это"),
		number("easy-level", &b.EasyLevel, "1", "120",
			"below this level beginners learn more from a kill",
			"ниже этого уровня новички получают за победу больше опыта"),
		number("easy-factor", &b.EasyFactor, "1", "1000",
			"how many times as much a beginner of level 1 learns from a kill; at each further level it is less",
			"во сколько раз больше опыта получает за победу новичок первого уровня; на каждом следующем уровне "+
				"меньше"),
		number("spread", &b.Spread, "0", "1",
			"up to which part more or less a kill gives",
			"на какую долю опыт за победу бывает больше или "+
				"меньше"),
		number("named", &b.Named, "0", "1000",
			"experience for a monster with a name, times that for a common one",
			"во сколько раз больше опыта даёт именной монстр"),
		number("group", &b.Group, "0", "100",
			"part that a group gets more for each further member near",
			"на какую долю больше получает группа за каждого "+
				"следующего участника рядом"),
		number("group-levels", &b.GroupLevels, "0", "1000",
			"how many levels apart from the one that has hurt the monster most a member still gets a part that has "+
				"not hurt it",
			"на сколько уровней участник, который не бил монстра, может отличаться от того, кто бил больше всех, "+
				"чтобы "+
				"получить долю"),
		number("near", &b.Near, "0", "1000",
			"how near the monster members share, in metres",
			"на каком расстоянии от монстра участники делят "+
				"опыт, в метрах"),
		number("free-levels", &b.FreeLevels, "0", "1000",
			"up to how many levels above the monster one learns all",
			"до скольких уровней выше монстра опыт даётся весь"),
		number("level-part", &b.LevelPart, "0", "1",
			"part less for each level beyond",
			"на какую долю меньше за каждый уровень сверх того"),
		number("least-part", &b.LeastPart, "0", "1",
			"part that one learns in any case",
			"какая доля даётся в любом случае"),
		number("most-hits-time", &b.MostHitsTime, "1s", "1h",
			"hits and damage of this last while count when a kill is shared, and say which career it teaches",
			"удары и урон за это последнее время решают, как "+
				"делится опыт и какой карьере он достаётся"),
		number("kill", &b.Kill, "0", "1000000000",
			"experience for a monster of level 1, 2, and so on; beyond the list it grows by a power of the "+
				"level",
			"опыт за монстра уровня 1, 2 и так далее; дальше списка "+
				"растёт как степень уровня"),
		number("types", wordList[[]rules.TypeFactor]{word[[]rules.TypeFactor]{&b.Types, typesText, parseTypes}}, "", "",
			"factors of types of monsters, as \"1000-1009 1.1039\"; the first that has the type counts",
			"множители типов монстров, вида «1000-1009 1.1039»; "+
				"действует первый подходящий"),
		number("other-factor", &b.OtherFactor, "0", "1000",
			"factor of types that the list does not have",
			"множитель типов, которых нет в списке"),
	}
}

func lootBalance(s *Settings) []Key {
	b := &s.Balance.Loot
	return []Key{
		number("factor", &b.Factor, "0", "1000",
			"how many times as much monsters leave, up to what a bag holds",
			"во сколько раз больше оставляют монстры, сколько вмещает мешок"),
		number("bag", &b.Bag, "0", "1",
			"chance that a monster leaves a bag",
			"вероятность, что монстр оставит мешок"),
		number("things-1", &b.Things[0], "0", "1000000",
			"share of bags with one thing; the shares of things-1 to things-4 are compared with each other",
			"доля мешков с одной вещью; доли things-1…things-4 сравниваются между собой"),
		number("things-2", &b.Things[1], "0", "1000000",
			"share of bags with two things",
			"доля мешков с двумя вещами"),
		number("things-3", &b.Things[2], "0", "1000000",
			"share of bags with three things",
			"доля мешков с тремя вещами"),
		number("things-4", &b.Things[3], "0", "1000000",
			"share of bags with four things",
			"доля мешков с четырьмя вещами"),
		number("owner", &b.Owner, "0s", "24h",
			"how long a bag is for who has killed",
			"сколько мешок принадлежит победителю"),
		number("expires", &b.Expires, "1s", "24h",
			"how long a bag lies",
			"сколько мешок лежит"),
		number("suffix", &b.Suffix, "0", "1",
			"chance that gear has a suffix; rings always have one",
			"вероятность суффикса у снаряжения; у колец он есть "+
				"всегда"),
		number("stack-min", &b.StackMin, "1", "1000",
			"how many powders a bag has at least",
			"сколько порошков в мешке самое меньшее"),
		number("stack-max", &b.StackMax, "1", "1000",
			"how many powders a bag has at most",
			"сколько порошков в мешке самое большее"),
		number("tier-levels", &b.TierLevels, "1", "1000",
			"after how many levels of monsters the next tier of things comes",
			"через сколько уровней монстров начинается "+
				"следующий ранг вещей"),
		number("nothing", &b.Nothing, "0", "1000000",
			"types of monsters that leave nothing",
			"типы монстров, которые ничего не оставляют"),
		number("weight-ring", &b.Weights.Ring, "0", "1000000",
			"share of rings among what bags hold; the shares of all weight-… are compared with each other",
			"доля колец среди находок; доли всех weight-… сравниваются между собой"),
		number("weight-bracelet", &b.Weights.Bracelet, "0", "1000000",
			"share of bracelets among what bags hold",
			"доля браслетов среди находок"),
		number("weight-mantra", &b.Weights.Mantra, "0", "1000000",
			"share of mantras among what bags hold",
			"доля мантр среди находок"),
		number("weight-powder", &b.Weights.Powder, "0", "1000000",
			"share of powders among what bags hold",
			"доля порошков среди находок"),
		number("weight-alchemy", &b.Weights.Alchemy, "0", "1000000",
			"share of flowers, metals and minerals among what bags hold",
			"доля цветков, металлов и минералов среди находок"),
		number("weight-axe", &b.Weights.Axe, "0", "1000000",
			"share of axes among what bags hold",
			"доля топоров среди находок"),
		number("weight-sword", &b.Weights.Sword, "0", "1000000",
			"share of swords among what bags hold",
			"доля мечей среди находок"),
		number("weight-crossbow", &b.Weights.Crossbow, "0", "1000000",
			"share of crossbows among what bags hold",
			"доля арбалетов среди находок"),
		number("weight-robe", &b.Weights.Robe, "0", "1000000",
			"share of robes among what bags hold",
			"доля мантий среди находок"),
		number("weight-amulet", &b.Weights.Amulet, "0", "1000000",
			"share of amulets among what bags hold",
			"доля амулетов среди находок"),
		number("weight-shield", &b.Weights.Shield, "0", "1000000",
			"share of shields among what bags hold",
			"доля щитов среди находок"),
		number("weight-boots", &b.Weights.Boots, "0", "1000000",
			"share of boots among what bags hold",
			"доля сапог среди находок"),
	}
}

func effectsBalance(s *Settings) []Key {
	b := &s.Balance.Effect
	return []Key{
		number("poison-each", &b.PoisonEach, "100ms", "1h",
			"how often poison and regeneration work",
			"как часто действуют яд и восстановление"),
		number("monster-poison", &b.MonsterPoison, "0", "1000",
			"poison of a monster is its column times its level times this in all",
			"яд монстра всего равен его столбцу, умноженному на "+
				"уровень и на это"),
		number("easy-level", &b.EasyLevel, "1", "120",
			"below this degree attack mantras are easier for beginners",
			"ниже этой степени мантры атаки новичкам даются легче"),
		number("easy-cost", &b.EasyCost, "0", "1",
			"which part of their MP attack mantras cost at level 1; at each further level it is more",
			"какую долю своей праны стоят мантры атаки на первом уровне; на каждом следующем она больше"),
		number("easy-harm", &b.EasyHarm, "1", "100",
			"how many times as much attack mantras hurt at level 1; at each further level it is less",
			"во сколько раз сильнее бьют мантры атаки на первом уровне; на каждом следующем меньше"),
		number("monster-slow", &b.MonsterSlow, "0", "1",
			"which part of its speed a slowed monster keeps",
			"какую долю скорости сохраняет замедленный монстр"),
		number("monster-miss", &b.MonsterMiss, "0", "1",
			"chance that a monster misses that is blinded or has lost its coordination",
			"вероятность промаха у ослеплённого или потерявшего координацию монстра"),
		number("monster-drain", &b.MonsterDrain, "0", "1000",
			"HP that a spell takes from a monster for each point of prana that it would take from a player",
			"сколько HP отнимает у монстра заклинание за каждую единицу праны, которую отняло бы у игрока"),
		number("monster-column", &b.MonsterColumn, "0", "1000",
			"other harm of a monster's effect is its column times its level times this",
			"прочий вред от эффекта монстра равен столбцу, "+
				"умноженному на уровень и на это"),
		number("monster-max-hp", &b.MonsterHP, "0", "1",
			"at most this part of a monster's greatest HP is taken by effects that lower it",
			"самое большее эту долю наибольших HP монстра отнимают эффекты, которые их понижают"),
		number("reuse", &b.Reuse, "0s", "1h",
			"unit of the cool-down of mantras and powders (column 43); 0: there is none",
			"единица отката мантр и порошков (столбец 43); 0 — отката нет"),
		number("food-fruit", &b.Food[rules.Fruit], "0", "1000",
			"satiety of an apple or a pear",
			"сытость от яблока или груши"),
		number("food-bread", &b.Food[rules.Bread], "0", "1000",
			"satiety of a bread",
			"сытость от хлеба"),
		number("food-fish", &b.Food[rules.Fish], "0", "1000",
			"satiety of a fish",
			"сытость от рыбы"),
		number("food-dried", &b.Food[rules.Dried], "0", "1000",
			"satiety of dried fish or meat",
			"сытость от вяленой рыбы или мяса"),
		number("food-mushroom", &b.Food[rules.Mushroom], "0", "1000",
			"satiety of a mushroom",
			"сытость от гриба"),
		number("food-potion", &b.Food[rules.SatietyPotion], "0", "1000",
			"satiety of the potion that also keeps hunger away",
			"сытость от зелья, которое ещё и прогоняет голод"),
		number("fed-hungry", &b.Fed[0], "0", "1000",
			"percent that a hungry character has more HP",
			"на сколько процентов больше здоровья у голодного персонажа"),
		number("fed-half", &b.Fed[1], "0", "1000",
			"percent that a half full character has more HP",
			"на сколько процентов больше здоровья у полусытого персонажа"),
		number("fed-full", &b.Fed[2], "0", "1000",
			"percent that a full character has more HP",
			"на сколько процентов больше здоровья у сытого персонажа"),
		number("fed-half-from", &b.FedFrom[0], "0", "1000",
			"satiety from which a character is half full",
			"с какой сытости персонаж полусыт"),
		number("fed-full-from", &b.FedFrom[1], "0", "1000",
			"satiety from which a character is full",
			"с какой сытости персонаж сыт"),
		number("hunger-moving", &b.HungerMoving, "1s", "24h",
			"after which time a point of satiety goes while moving",
			"через сколько в движении уходит единица сытости"),
		number("hunger-resting", &b.HungerResting, "1s", "24h",
			"after which time a point of satiety goes at rest",
			"через сколько в покое уходит единица сытости"),
		number("lasting", &b.Lasting, "0s", "1h",
			"effects of the dead do not run down below this",
			"у погибших эффекты не истекают ниже этого остатка"),
	}
}

func playersBalance(s *Settings) []Key {
	b := &s.Balance.Duel
	return []Key{
		number("from-level", &b.FromLevel, "0", "240",
			"below this level one neither strikes nor is struck",
			"ниже этого уровня нельзя ни бить, ни быть битым"),
		number("city", &b.City, "0", "1000",
			"how far around the middle of a city is peace, in metres",
			"на сколько метров вокруг центра города — мир"),
		number("trader", &b.Trader, "0", "1000",
			"how far around a trader or banker outside is peace, in metres",
			"на сколько метров вокруг торговца или банкира вне "+
				"города — мир"),
		number("wrath", &b.Wrath, "", "",
			"a blow in a city hits who has made it, instead of being refused",
			"удар в городе падает на нанёсшего, вместо отказа"),
		number("wrath-part", &b.WrathPart, "0", "1",
			"part of the greatest HP that this takes",
			"какую долю наибольших HP это отнимает"),
		number("duel-field", &b.Field, "1", "1000",
			"how far from the middle of a duel one has lost it, in metres",
			"на сколько метров от середины дуэли она проиграна"),
		number("duel-countdown", &b.Countdown, "0s", "1m",
			"how long after a challenge is accepted the duel begins",
			"через сколько после принятия вызова начинается дуэль"),
		number("duel-lost", &b.Lost, "0", "1",
			"who has this part of the greatest HP left in a duel has lost it, and loses no more",
			"у кого в дуэли осталась эта доля наибольших HP, тот проиграл, и больше не теряет"),
		number("duel-lasts", &b.Lasts, "1s", "1h",
			"how long a duel lasts",
			"сколько длится дуэль"),
		number("duel-offer", &b.Offer, "1s", "1h",
			"how long a challenge to a duel is open",
			"сколько открыт вызов на дуэль"),
		number("duel-truce", &b.Truce, "0s", "10m",
			"how long after a duel the two cannot strike each other",
			"сколько после дуэли её участники не могут ударить друг друга"),
		number("wanted", &b.Wanted, "0s", "24h",
			"how long the guards of a town, if it has some, go after who has struck at another where there is peace",
			"сколько стражники города, если они есть, преследуют того, кто ударил другого там, где мир"),
	}
}

// typesText writes factors of types as a flag would have them: "1000-1009 1.1039,1085 1.414".
func typesText(types []rules.TypeFactor) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = strconv.Itoa(t.From)
		if t.To != t.From {
			words[i] += "-" + strconv.Itoa(t.To)
		}
		words[i] += " " + strconv.FormatFloat(t.Factor, 'g', -1, 64)
	}
	return strings.Join(words, ",")
}

func parseTypes(text string) (types []rules.TypeFactor, err error) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		t, ok := parseType(part)
		if !ok {
			return nil, wrong(`expected types and a factor from 0 to %d, like "1000-1009 1.1", found %q`,
				"нужны типы и множитель от 0 до %d, например «1000-1009 1.1», а не %q", maxFactor, part)
		}
		if types = append(types, t); len(types) > maxList {
			return nil, wrong("expected at most %d factors", "нужно не больше %d множителей", maxList)
		}
	}
	return types, nil
}

const maxFactor = 1000

func parseType(text string) (t rules.TypeFactor, ok bool) {
	span, factor, _ := strings.Cut(text, " ")
	from, to, ranged := strings.Cut(span, "-")
	if !ranged {
		to = from
	}
	var errs [3]error
	t.From, errs[0] = strconv.Atoi(from)
	t.To, errs[1] = strconv.Atoi(to)
	t.Factor, errs[2] = parseNumber(strings.TrimSpace(factor))
	return t, errs == [3]error{} && 0 <= t.From && t.From <= t.To && 0 <= t.Factor && t.Factor <= maxFactor
}
