package api

import "net/http"

// Refusals, with the status of HTTP and the word for programs.
var (
	errUnauthorized = refusal(http.StatusUnauthorized, "unauthorized", "Нужно войти.", "Log in first.")
	errBadToken     = refusal(http.StatusUnauthorized, "unauthorized",
		"Ключ неверен, просрочен или отозван.",
		"The token is wrong, has expired or was taken back.")
	errLocalToken = refusal(http.StatusUnauthorized, "unauthorized",
		"Нужен ключ из файла %s.", "Expected the token of %s.")
	errLocalHost = refusal(http.StatusForbidden, "host", "Нужен Host: %s без Origin.", "Expected Host: %s and no Origin.")
	errHost      = refusal(http.StatusForbidden, "host",
		"Под этим именем страница не открывается. Добавьте его в admin.hosts.",
		"The page is not known by this name. Add it to admin.hosts.")
	errCrossSite = refusal(http.StatusForbidden, "cross-site",
		"Запрос пришёл с другого сайта.", "The request comes from another site.")
	errCSRF = refusal(http.StatusForbidden, "csrf",
		"Нужен заголовок X-CSRF-Token со значением из /api/me.",
		"Expected the header X-CSRF-Token with the value of /api/me.")
	errNetwork = refusal(http.StatusForbidden, "network",
		"Это доступно только с самой машины или из сетей admin.networks.",
		"This is for this machine and the networks of admin.networks.")
	errRate = refusal(http.StatusTooManyRequests, "rate",
		"Слишком много запросов. Подождите.", "Too many requests. Wait a while.")
	errNoRoute = refusal(http.StatusNotFound, "no-route", "Такого адреса нет.", "There is nothing at this address.")
	errMethod  = refusal(http.StatusMethodNotAllowed, "method",
		"Здесь нужен другой метод: %s.", "Expected the method %s here.")
	errNoSuch = refusal(http.StatusNotFound, "not-found", "Такого нет: %s", "There is no such thing: %s")

	errContentType = refusal(http.StatusUnsupportedMediaType, "content-type",
		"Нужен Content-Type: application/json.", "Expected Content-Type: application/json.")
	errTooLarge = refusal(http.StatusRequestEntityTooLarge, "too-large",
		"Запрос больше %d байт.", "The request has more than %d bytes.")
	errEndedEarly = refusal(http.StatusRequestTimeout, "ended-early",
		"Запрос оборвался или пришёл слишком медленно.",
		"The request ended early or came too slowly.")
	errMalformed = refusal(http.StatusBadRequest, "malformed",
		"Ожидался один объект JSON: %s", "Expected one object of JSON: %s")

	errLogin      = refusal(http.StatusUnauthorized, "login", "Неверный логин или пароль.", "Wrong login or password.")
	errNoOperator = refusal(http.StatusForbidden, "role",
		"Это учётная запись игрока, страница не для неё. Роль даёт администратор: здесь, на странице учётных записей, или "+
			"командой на сервере: sphere account role ЛОГИН administrator",
		"This is the account of a player, whom the page is not for. An administrator gives roles: here, among the "+
			"accounts, or by a command on the server: sphere account role LOGIN administrator")
	errNotHere = refusal(http.StatusForbidden, "network",
		"Первого администратора создают в браузере на самой машине сервера, или там же командой «sphere account add ЛОГИН "+
			"--role administrator».",
		"The first administrator is made by a browser on the server's own machine, "+
			"or there by \"sphere account add LOGIN --role administrator\".")
	errBanned = refusal(http.StatusForbidden, "banned",
		"Вход для этой учётной записи закрыт.", "This account is banned.")
	errThrottled = refusal(http.StatusTooManyRequests, "throttled",
		"Слишком много неудачных попыток. Подождите.",
		"Too many failed attempts. Wait a while.")
	errBusyMaps = refusal(http.StatusServiceUnavailable, "busy",
		"Карта рисуется для слишком многих. Повторите через несколько секунд.",
		"The map is being drawn for too many. Try again in some seconds.")
	errBusy = refusal(http.StatusServiceUnavailable, "busy",
		"Сейчас проверяется слишком много паролей. Попробуйте ещё раз.",
		"Too many passwords are being checked. Try again.")
	errStreams = refusal(http.StatusServiceUnavailable, "streams",
		"Уже открыто %d потоков событий.", "There are %d streams of events already.")

	errStronger = refusal(http.StatusConflict, "stronger",
		"Настройка задана иначе (%s), файл на неё не действует.",
		"The setting comes from elsewhere (%s), so the file does not count.")
	errNoFile = refusal(http.StatusConflict, "no-file",
		"Сервер запущен без файла настроек.", "The server runs without a configuration file.")
	errFile = refusal(http.StatusConflict, "file",
		"Файл настроек не изменён: %s", "The configuration file was not changed: %s")
	errTokenMakes = refusal(http.StatusForbidden, "token",
		"Ключом новые ключи не создают: войдите в браузере.",
		"Tokens are not made with a token: log in with a browser.")
	errManyTokens = refusal(http.StatusConflict, "too-many",
		"Ключей уже слишком много: удалите ненужные.",
		"There are too many tokens already: delete some.")
)

// Faults of fields, and sentences around texts of others.
var (
	invalidText      = both("В запросе есть ошибки.", "Something in the request is wrong.")
	failedText       = both("Сервер не смог выполнить запрос: %s", "The server could not do it: %s")
	sameText         = both("%s", "%s")
	wrongKindText    = both("Нужно другое (%s), а не %s.", "Expected %s, found %s.")
	unknownFieldText = both("Такого поля здесь нет.", "There is no such field here.")
	boxText          = both("Нужны четыре числа: наименьшие x и z, наибольшие x и z, а не «%s».",
		"Expected four numbers: least x and z, greatest x and z, found %q.")
	missingText = both("Это поле обязательно.", "This field is required.")
	controlText = both("Без управляющих символов и переводов строк.",
		"Expected no control characters and no line breaks.")
	longText       = both("Не больше %d символов.", "Expected at most %d characters.")
	rangeText      = both("Нужно число от %d до %d.", "Expected a number from %d to %d.")
	oneOfText      = both("Нужно одно из: %s.", "Expected one of %s.")
	oneCaptureText = both("Укажите session или account, но не оба.", "Give session or account, not both.")
	noKeyText      = both("Такой настройки нет.", "There is no such setting.")
	pathKeyText    = both("Где лежит файл, решает только владелец машины: измените это в файле настроек.",
		"Only the owner of the machine chooses where a file is: change it in the configuration file.")
	tokenRoleText = both("Роль ключа — не ниже helper.", "The role of a token is helper at least.")
	tokenHighText = both("Роль ключа не может быть выше вашей: %s.", "The role of a token cannot be above yours, %s.")
)
