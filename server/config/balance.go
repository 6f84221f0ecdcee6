package config

import (
	"fmt"
	"strconv"
	"strings"

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

func strengthBalance(s *Settings) []Key {
	b := &s.Balance.Strength
	return []Key{
		number("hp", &b.HP, "0.01", "1000",
			"HP of all monsters that come from now on, times what is usual",
			"во сколько раз больше обычного HP у всех монстров, которые появятся с этого времени"),
		number("damage", &b.Damage, "0", "1000",
			"damage of all blows of monsters, times what is usual",
			"во сколько раз больше обычного урон от всех ударов монстров"),
	}
}

func damageBalance(s *Settings) []Key {
	b := &s.Balance.Damage
	return []Key{
		number("roll-low", &b.RollLow, "0", "10",
			"the roll of a blow begins at this part of the attack",
			"бросок удара начинается с этой доли атаки"),
		number("roll-low-spread", &b.RollLowSpread, "-1", "1",
			"… and so much more for each point of the weapon's spread (column 21)",
			"… и больше на столько за каждую единицу разброса "+
				"оружия (столбец 21)"),
		number("roll-high", &b.RollHigh, "0", "10",
			"the roll of a blow ends at this part of the attack",
			"бросок удара кончается на этой доле атаки"),
		number("roll-high-spread", &b.RollHighSpread, "-1", "1",
			"… and so much more for each point of the weapon's spread",
			"… и больше на столько за каждую единицу разброса "+
				"оружия"),
		number("defence-part", &b.DefencePart, "0", "1",
			"which part of the defence is taken from a roll that is above it",
			"какая доля защиты вычитается из броска, если он "+
				"больше защиты"),
		number("fists", &b.Fists, "0", "30000",
			"attack of bare fists",
			"атака голых кулаков"),
		number("miss-player", &b.MissPlayer, "0", "1",
			"chance that a player's blow misses",
			"вероятность промаха игрока"),
		number("miss-monster", &b.MissMonster, "0", "1",
			"chance that a monster's blow misses",
			"вероятность промаха монстра"),
		number("easy-level", &b.EasyLevel, "1", "120",
			"below this level beginners feel less of a monster's blow",
			"ниже этого уровня новички чувствуют не весь удар монстра"),
		number("easy-part", &b.EasyPart, "0", "1",
			"… this part of it at level 1, and more at each further one",
			"… на первом уровне такую его долю, на каждом следующем больше"),
		number("named", &b.Named, "0", "100",
			"attack and defence of a monster with a name, times those of a common one",
			"во сколько раз атака и защита именного монстра "+
				"больше обычных"),
		number("curve", &b.Curve, "0", "1",
			"how attack and defence of monsters grow: 0 by the column with each level, 1 by the law of their "+
				"HP",
			"как растут атака и защита монстров: 0 — на столбец с "+
				"каждым уровнем, 1 — по закону их HP"),
		number("players", &b.Players, "0", "10",
			"damage of players to each other, times that to monsters",
			"урон игроков друг другу, доля от урона монстрам"),
		number("mirror", &b.Mirror, "0", "1",
			"part of the damage that a mirror throws back",
			"доля урона, которую отражает зеркало"),
		number("vampire", &b.Vampire, "0", "1",
			"part of the damage that a vampire drinks as HP",
			"доля урона, которую вампир выпивает в HP"),
		number("prana", &b.Prana, "0", "1",
			"part of the damage that a prana shield takes from MP",
			"доля урона, которую щит праны берёт из MP"),
	}
}

func blowsBalance(s *Settings) []Key {
	b := &s.Balance.Blow
	return []Key{
		number("use-slack", &b.UseSlack, "0", "1",
			"a blow counts after this part of the weapon's use time",
			"удар засчитывается через эту долю времени "+
				"применения оружия"),
		number("reach-slack", &b.ReachSlack, "0", "100",
			"metres added to the range of what one strikes with, since players are told to be where they were",
			"сколько метров прибавляется к дальности: о месте "+
				"игрока известно с опозданием"),
		number("least", &b.Least, "0", "100",
			"range that every blow has at least, in metres",
			"наименьшая дальность любого удара, в метрах"),
		number("fist-range", &b.FistRange, "0", "100",
			"range of fists, in metres",
			"дальность кулаков, в метрах"),
		number("fist-time", &b.FistTime, "0s", "1h",
			"use time of fists",
			"время удара кулаками"),
		number("linger", &b.Linger, "0s", "5m",
			"how long a character stays in the world whose player leaves, or loses the connection, within so long "+
				"after a blow; "+
				"0s: not at all",
			"сколько персонаж остаётся в мире, если игрок вышел или потерял связь раньше, чем через это время после "+
				"удара; "+
				"0s — нисколько"),
		number("fight-hop", &b.FightHop, "0", "1000",
			"how many metres who has fought a moment ago may go at once, beyond what the time allows; 0: as far as "+
				"anybody",
			"на сколько метров сверх отпущенного временем может сместиться разом тот, кто только что дрался; "+
				"0 — как все"),
		number("absolute-every", &b.AbsoluteEvery, "1", "1000",
			"each so many-th hit on a monster tells clients its HP",
			"каждый который удар по монстру сообщает клиентам "+
				"его HP"),
		number("area-targets", &b.AreaTargets, "1", "1000",
			"how many at most an area hit hurts",
			"скольких самое большее задевает удар по площади"),
		number("splash-self", &b.SplashSelf, "", "",
			"an area hit also hurts who has made it",
			"удар по площади задевает и того, кто его нанёс"),
		number("wear-hits", &b.WearHits, "0", "1000000",
			"a weapon loses a point of durability in so many blows that hit, armour in so many hits taken; at 0 it gives "+
				"nothing; 0: never",
			"за столько попаданий оружие, и за столько полученных ударов доспехи теряют единицу прочности; при 0 вещь "+
				"ничего не даёт; 0 — никогда"),
	}
}

func monstersBalance(s *Settings) []Key {
	b := &s.Balance.Mind
	return []Key{
		number("notice", &b.Notice, "0", "100",
			"from how far a monster notices a player, in metres",
			"с какого расстояния монстр замечает игрока, в метрах"),
		number("notice-far", &b.NoticeFar, "0", "100",
			"the same for those that strike from far",
			"то же для бьющих издалека"),
		number("far-range", &b.FarRange, "0", "1000",
			"from which range on a monster is one that strikes from far, in metres",
			"с какой дальности монстр считается бьющим издалека, "+
				"в метрах"),
		number("notice-levels", &b.NoticeLevels, "0", "1000",
			"a player so many levels above a monster is left alone",
			"игрока, который выше монстра на столько уровней, тот "+
				"не трогает"),
		number("notice-height", &b.NoticeHeight, "0", "1000",
			"difference of height up to which a monster notices, in metres",
			"до какой разницы высот монстр замечает, в метрах"),
		number("lose", &b.Lose, "1", "1000",
			"from how far on a monster has lost a player, in metres",
			"с какого расстояния монстр теряет игрока, в метрах"),
		number("look-turns", &b.LookTurns, "1", "1000",
			"a monster that has nothing to do looks for prey in each so many-th decision, of which there are three a "+
				"second",
			"монстр, которому нечего делать, ищет добычу раз в столько решений; их три в секунду"),
		number("swing-slack", &b.SwingSlack, "0", "100",
			"how many metres beyond its range a monster still strikes",
			"на сколько метров дальше своей дальности монстр ещё бьёт"),
		number("turn-steps", &b.TurnSteps, "0", "128",
			"a monster turns when its direction is off by more than so many 256ths of a circle",
			"монстр поворачивается, когда направление ушло больше чем на столько 256-х долей круга"),
		number("circles", &b.Circles, "1", "1000",
			"a monster gives up when it comes into one square of 2 m so often within give-up",
			"монстр отступает, когда за время give-up столько раз попадает в один квадрат 2 м"),
		number("leash", &b.Leash, "1", "1000",
			"how far from its home a monster follows, in metres",
			"как далеко от дома монстр преследует, в метрах"),
		number("help", &b.Help, "0", "1000",
			"from how far monsters of a spawner come to help, in metres",
			"с какого расстояния монстры одного места приходят "+
				"на помощь, в метрах"),
		number("threat-time", &b.ThreatTime, "1s", "1h",
			"how long a monster remembers who has hurt it",
			"сколько монстр помнит, кто его бил"),
		number("threat-switch", &b.ThreatSwitch, "1", "1000",
			"another becomes the target who has hurt so many times as much",
			"цель меняется на того, кто нанёс во столько раз "+
				"больше урона"),
		number("melee", &b.Melee, "0.1", "100",
			"at which distance a monster stops to strike, in metres",
			"на каком расстоянии монстр останавливается для "+
				"удара, в метрах"),
		number("nearest", &b.Nearest, "0", "100",
			"nearer no monster comes, in metres",
			"ближе монстр не подходит, в метрах"),
		number("space", &b.Space, "0", "100",
			"how far apart monsters of a spawner stay, in metres",
			"сколько метров держат между собой монстры одного "+
				"места"),
		number("first-swing", &b.FirstSwing, "0", "10",
			"the first blow comes after this part of a monster's delay",
			"первый удар следует через эту долю задержки монстра"),
		number("walk", &b.Walk, "0", "10",
			"speed of wandering, as a part of the monster's own",
			"скорость прогулки, доля от собственной"),
		number("chase", &b.Chase, "0", "10",
			"speed of chasing from near, as a part of the monster's own",
			"скорость погони вблизи, доля от собственной"),
		number("chase-far", &b.ChaseFar, "0", "10",
			"speed of chasing from farther, as a part of the monster's own",
			"скорость погони издалека, доля от собственной"),
		number("chase-distance", &b.ChaseDistance, "0", "1000",
			"what is near to chase, in metres",
			"что считать погоней вблизи, в метрах"),
		number("top-speed", &b.TopSpeed, "0.1", "100",
			"no monster is faster, in metres per second",
			"быстрее не движется ни один монстр, метров в секунду"),
		number("wander-min", &b.WanderMin, "1s", "24h",
			"a monster wanders after at least so long",
			"монстр идёт прогуляться не раньше чем через"),
		number("wander-max", &b.WanderMax, "1s", "24h",
			"… and at most so long",
			"… и не позже чем через"),
		number("wander-time", &b.WanderTime, "1s", "1h",
			"a walk is given up after",
			"прогулка прекращается через"),
		number("wander-radius", &b.WanderRadius, "0", "1000",
			"how far from its home a monster wanders, in metres",
			"как далеко от дома монстр гуляет, в метрах"),
		number("path", &b.Path, "50ms", "1m",
			"how often a chase looks for its way",
			"как часто погоня ищет путь заново"),
		number("path-moved", &b.PathMoved, "0", "100",
			"… and also when the target has moved so far, in metres",
			"… и ещё когда цель отошла на столько метров"),
		number("return-time", &b.ReturnTime, "1s", "1h",
			"who has not come home until then is put there",
			"кто не дошёл домой за это время, переносится туда"),
		number("home", &b.Home, "0.01", "100",
			"how near its home a monster is at home, in metres",
			"на каком расстоянии от дома монстр уже дома, в метрах"),
		number("heal-after", &b.HealAfter, "0s", "1h",
			"a monster at rest has all its HP again after",
			"отдыхающий монстр снова здоров через"),
		number("fly-height", &b.FlyHeight, "0", "100",
			"how high above the ground flies what flies, in metres",
			"на какой высоте над землёй летают летающие, в метрах"),
		number("stuck-time", &b.StuckTime, "100ms", "1h",
			"a chase that comes no nearer for so long gives up",
			"погоня, не приближающаяся столько времени, "+
				"прекращается"),
		number("give-up", &b.GiveUp, "0s", "1h",
			"how long a monster then stands",
			"сколько монстр потом стоит"),
		number("stuck-gain", &b.StuckGain, "0", "100",
			"what coming nearer is, in metres",
			"на сколько метров надо приблизиться, чтобы погоня "+
				"продолжалась"),
		number("stay-awake", &b.StayAwake, "0s", "1h",
			"how long monsters stay awake when the last player has gone",
			"сколько монстры не спят после ухода последнего "+
				"игрока"),
		number("height-step", &b.HeightStep, "0.01", "100",
			"how much the height of a monster changes in one decision, in metres",
			"на сколько метров меняется высота монстра за одно "+
				"решение"),
		number("height-jump", &b.HeightJump, "0", "1000",
			"up to which difference of height a monster chases over unknown ground, in metres",
			"до какой разницы высот монстр преследует по "+
				"неизвестной земле, в метрах"),
	}
}

func spawnsBalance(s *Settings) []Key {
	b := &s.Balance.Spawn
	return []Key{
		number("common", &b.Common, "0", "100",
			"common monsters of a spawner",
			"обычных монстров у одного места"),
		number("named-chance", &b.NamedChance, "0", "1",
			"chance that one more with a name comes beside them",
			"вероятность, что рядом появится ещё один именной"),
		number("radius", &b.Radius, "0", "1000",
			"how far from the spawner they come, in metres",
			"как далеко от места они появляются, в метрах"),
		number("indoors", &b.Indoors, "0", "1000",
			"the same indoors",
			"то же в помещениях"),
		number("apart", &b.Apart, "0", "100",
			"how far from each other, in metres",
			"как далеко друг от друга, в метрах"),
		number("respawn", &b.Respawn, "1s", "24h",
			"after which time another comes for one that was killed",
			"через сколько вместо убитого появляется другой"),
		number("eyes", &b.Eyes, "0", "1000",
			"none comes so near before a player's eyes, in metres",
			"ближе стольких метров перед игроком никто не "+
				"появляется"),
		number("eyes-time", &b.EyesTime, "0s", "24h",
			"… more often than once in this time",
			"… чаще чем раз в это время"),
		number("town-free", &b.TownFree, "0", "1000",
			"no monster comes so near the middle of a city, in metres",
			"ближе стольких метров к центру города монстров не "+
				"бывает"),
		number("taken", &b.Taken, "0", "1",
			"which part of the squares of land of 100 m has a place where monsters come from",
			"в какой доле квадратов суши по 100 м есть место появления монстров"),
		number("woods", &b.Woods, "0", "10000",
			"how far around its named place a wood or mountains reach, in metres",
			"на сколько метров вокруг названного места простирается лес или горы"),
		number("rare", &b.Rare, "1", "1000000",
			"one in how many places outside of cemeteries may bring the rarest monster",
			"в одном из скольких мест вне кладбищ может появиться самый редкий монстр"),
		number("person-free", &b.PersonFree, "0", "1000",
			"no spawner is so near a known person, in metres",
			"ближе стольких метров к жителям мест появления нет"),
		number("level-base", &b.LevelBase, "-100000", "100000",
			"the level is (distance from the nearest city − this) / level-step + 1, in metres",
			"уровень равен (расстояние до ближайшего города − "+
				"это) / level-step + 1, в метрах"),
		number("level-step", &b.LevelStep, "0.1", "100000",
			"… after how many metres it rises by one",
			"… через сколько метров он растёт на единицу"),
		number("level-spread", &b.LevelSpread, "0", "100",
			"levels of monsters differ from that of the spawner by up to",
			"на сколько уровень монстра может отличаться от "+
				"уровня места"),
		number("easy-level", &b.EasyLevel, "0", "120",
			"places of at most this level are for beginners: by them stand",
			"места не выше этого уровня — для новичков: у них стоит"),
		number("easy-common", &b.EasyCommon, "0", "100",
			"… at most so many common monsters",
			"… не больше стольких обычных монстров"),
		number("easy-spread", &b.EasySpread, "0", "100",
			"… whose levels differ from that of the place by up to so many",
			"… чей уровень отличается от уровня места не больше чем на столько"),
		number("most-level", &b.MostLevel, "1", "120",
			"the greatest level that distance alone gives",
			"наибольший уровень, который даёт одно расстояние"),
		number("cemetery", &b.Cemetery, "-1000", "1000",
			"levels added around cemeteries",
			"сколько уровней прибавляется у кладбищ"),
		number("haron", &b.Haron, "-1000", "1000",
			"levels added on Haron",
			"сколько уровней прибавляет Харон"),
		number("phoebe", &b.Phoebe, "-1000", "1000",
			"levels added on Phoebe",
			"сколько уровней прибавляет Феб"),
		number("rodos", &b.Rodos, "-1000", "1000",
			"levels added on Rodos",
			"сколько уровней прибавляет Родос"),
		number("tutorial-coins-min", &b.TutorialCoinsMin, "0", "1000000",
			"coins of the newcomers' monster, at least",
			"монет с монстра новичков, не меньше"),
		number("tutorial-coins-max", &b.TutorialCoinsMax, "0", "1000000",
			"coins of the newcomers' monster, at most",
			"монет с монстра новичков, не больше"),
		number("tutorial-respawn", &b.TutorialRespawn, "1s", "1h",
			"after which time the newcomers' monster in an instance comes again",
			"через сколько монстр новичков в их подземелье появляется снова"),
		number("instance-linger", &b.InstanceLinger, "0s", "24h",
			"how long an instance is kept that everybody has left",
			"сколько хранится подземелье, которое все покинули"),
	}
}

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
			"… not more often than",
			"… не чаще чем раз в"),
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
			"… so many times as much at level 1, and less at each further one",
			"… на первом уровне во столько раз, на каждом следующем меньше"),
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
		number("bag", &b.Bag, "0", "1",
			"chance that a monster leaves a bag",
			"вероятность, что монстр оставит мешок"),
		number("things-1", &b.Things[0], "0", "1000000",
			"weight of bags with 1 thing",
			"вес мешков, где вещей 1"),
		number("things-2", &b.Things[1], "0", "1000000",
			"weight of bags with 2 things",
			"вес мешков, где вещей 2"),
		number("things-3", &b.Things[2], "0", "1000000",
			"weight of bags with 3 things",
			"вес мешков, где вещей 3"),
		number("things-4", &b.Things[3], "0", "1000000",
			"weight of bags with 4 things",
			"вес мешков, где вещей 4"),
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
			"powders in a bag, at least",
			"порошков в мешке, не меньше"),
		number("stack-max", &b.StackMax, "1", "1000",
			"powders in a bag, at most",
			"порошков в мешке, не больше"),
		number("tier-levels", &b.TierLevels, "1", "1000",
			"after how many levels of monsters the next tier of things comes",
			"через сколько уровней монстров начинается "+
				"следующий ранг вещей"),
		number("nothing", &b.Nothing, "0", "1000000",
			"types of monsters that leave nothing",
			"типы монстров, которые ничего не оставляют"),
		number("weight-ring", &b.Weights.Ring, "0", "1000000",
			"weight of rings among what bags hold",
			"вес кольца среди находок"),
		number("weight-bracelet", &b.Weights.Bracelet, "0", "1000000",
			"weight of bracelets among what bags hold",
			"вес браслета среди находок"),
		number("weight-mantra", &b.Weights.Mantra, "0", "1000000",
			"weight of mantras among what bags hold",
			"вес мантры среди находок"),
		number("weight-powder", &b.Weights.Powder, "0", "1000000",
			"weight of powders among what bags hold",
			"вес порошка среди находок"),
		number("weight-alchemy", &b.Weights.Alchemy, "0", "1000000",
			"weight of flowers, metals and minerals among what bags hold",
			"вес цветка, металла или минерала среди находок"),
		number("weight-axe", &b.Weights.Axe, "0", "1000000",
			"weight of axes among what bags hold",
			"вес топора среди находок"),
		number("weight-sword", &b.Weights.Sword, "0", "1000000",
			"weight of swords among what bags hold",
			"вес меча среди находок"),
		number("weight-crossbow", &b.Weights.Crossbow, "0", "1000000",
			"weight of crossbows among what bags hold",
			"вес арбалета среди находок"),
		number("weight-robe", &b.Weights.Robe, "0", "1000000",
			"weight of robes among what bags hold",
			"вес мантии среди находок"),
		number("weight-amulet", &b.Weights.Amulet, "0", "1000000",
			"weight of amulets among what bags hold",
			"вес амулета среди находок"),
		number("weight-shield", &b.Weights.Shield, "0", "1000000",
			"weight of shields among what bags hold",
			"вес щита среди находок"),
		number("weight-boots", &b.Weights.Boots, "0", "1000000",
			"weight of boots among what bags hold",
			"вес сапог среди находок"),
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
			"… at level 1 they cost this part of their MP, at each further one more",
			"… на первом уровне они стоят такую долю праны, на каждом следующем больше"),
		number("easy-harm", &b.EasyHarm, "1", "100",
			"… and hurt so many times as much, at each further one less",
			"… и бьют во столько раз сильнее, на каждом следующем меньше"),
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
		number("hunger-moving", &b.HungerMoving, "1s", "24h",
			"after which time a point of satiety goes while moving",
			"через сколько в движении уходит единица сытости"),
		number("hunger-resting", &b.HungerResting, "1s", "24h",
			"… and at rest",
			"… и в покое"),
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
			return nil, fmt.Errorf("expected at most %d factors", maxList)
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
