package game

import (
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Trades between players are shown by the windows of their clients. In one that was begun by chat all is told in words,
// too, since it is not known whether the original client opens its window then.

func (s *Server) playerTradeOpened(e world.PlayerTradeOpened) {
	s.view.PlayerTradeOpened(e)
	if e.Spoken {
		s.post(e.ID, func(p *player) {
			p.Tell(text("Торг с игроком %s. Предложить вещь: /предложить ЯЧЕЙКА ЦЕНА [СКОЛЬКО]; купить: /купить НОМЕР.",
				"A trade with %s. To offer an item: /offer SLOT PRICE [COUNT]; to buy: /buy NUMBER."), e.Name)
		})
	}
}

func (s *Server) playerTradeClosed(e world.PlayerTradeClosed) {
	s.view.PlayerTradeClosed(e)
	if e.Spoken {
		s.post(e.ID, func(p *player) {
			p.Tell(text("Торг с игроком %s окончен.", "The trade with %s is over."), e.Name)
		})
	}
}

func (s *Server) lotShown(e world.LotShown) {
	s.view.LotShown(e)
	if !e.Spoken || e.Sold && e.Item.ID == 0 { // the buyer of all knows
		return
	}
	number := e.TradeSlot + 1
	if e.Item.ID == 0 {
		s.post(e.ID, func(p *player) {
			p.Tell(text("%s больше не предлагает № %d.", "%s does not offer #%d any more."), e.Name, number)
		})
		return
	}
	name := s.itemName(&e.Item)
	s.post(e.ID, func(p *player) {
		p.Tell(text("%s предлагает № %d: %s, %d шт. по %d.", "%s offers #%d: %s, %d for %d each."), e.Name, number,
			name.In(p.Russian), e.Count, e.Price)
	})
}

// lotOffered tells a player what it has just offered: the number is that by which its partner buys.
func (s *Server) lotOffered(e world.LotOffered) {
	number := e.TradeSlot + 1
	if e.Item.ID == 0 {
		s.post(e.ID, func(p *player) {
			p.Tell(text("Вы больше не предлагаете № %d.", "You do not offer #%d any more."), number)
		})
		return
	}
	name := s.itemName(&e.Item)
	s.post(e.ID, func(p *player) {
		p.Tell(text("Вы предлагаете № %d: %s, %d шт. по %d.", "You offer #%d: %s, %d for %d each."), number,
			name.In(p.Russian), e.Count, e.Price)
	})
}

func (s *Server) bidMade(e world.BidMade) {
	s.view.BidMade(e)
	if e.Spoken {
		s.post(e.ID, func(p *player) {
			p.Tell(text("%s даёт за № %d по %d.", "%s would pay for #%d %d each."), e.Name, e.TradeSlot+1, e.Price)
		})
	}
}

// itemName is the name of an item in both languages.
func (s *Server) itemName(t *rules.Item) ops.Text {
	tables := s.options.World.Tables
	k := tables.KindOf(t)
	if k == nil {
		return text("неизвестный предмет", "unknown item")
	}
	suffix := tables.Suffix(k, t.Suffix)
	return text(k.FullName(suffix, "ru"), k.FullName(suffix, "en"))
}

// stolen tells of a theft, the thief and of money in words.
func (s *Server) stolen(e world.Stolen) {
	s.view.Stolen(e)
	switch name := s.itemName(&e.Thing); {
	case e.ID == e.By && e.Thing.ID != 0:
		s.post(e.ID, func(p *player) { p.Tell(text("Вы украли: %s.", "You have stolen: %s."), name.In(p.Russian)) })
	case e.ID == e.By:
		s.post(e.ID, func(p *player) {
			p.Tell(text("Вы украли монет: %d.", "You have stolen %d coins."), e.Count)
		})
	case e.Thing.ID == 0:
		s.post(e.ID, func(p *player) {
			p.Tell(text("%s крадёт у вас монет: %d.", "%s steals %d coins from you."), e.Name, e.Count)
		})
	}
}
