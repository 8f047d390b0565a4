package main

import (
	"bufio"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/lib/pq"
)

const schema = `
	CREATE TABLE notifications (
		key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, type TEXT, message TEXT, media_type TEXT,
		digest TEXT, created BIGINT NOT NULL, expires BIGINT NOT NULL, content BYTEA NOT NULL);
	CREATE TABLE recipients (
		key INTEGER PRIMARY KEY, notification INTEGER NOT NULL REFERENCES notifications, "user" TEXT NOT NULL,
		UNIQUE ("user", notification));
	CREATE TABLE receipts (recipient INTEGER PRIMARY KEY, fetched BIGINT, read BIGINT);`

// line is a notification with its recipients: one person, with a separate text, or many people, with a file.
type line struct {
	description
	Text, File string
	Users      []string
}

// importLines fills a database from the lines on standard input.
func importLines(place string, sealer cipher.AEAD) {
	database := open(place, "_synchronous=FULL")
	_, err := database.Exec(schema)
	check(err)
	var lines []line
	for input := json.NewDecoder(bufio.NewReader(os.Stdin)); input.More(); {
		lines = append(lines, line{})
		check(input.Decode(&lines[len(lines)-1]))
	}
	transaction, err := database.Begin()
	check(err)
	notifications := inserted(transaction, place, "notifications",
		"key", "id", "kind", "type", "message", "media_type", "digest", "created", "expires", "content")
	for number, each := range lines {
		content, digest := each.content(sealer)
		_, err := notifications.Exec(number, each.Id, each.Kind, each.RichType, each.Message, each.MediaType, digest,
			milliseconds(each.Created), milliseconds(each.Expires), content)
		check(err)
	}
	check(notifications.Close())
	recipients := inserted(transaction, place, "recipients", "key", "notification", "user")
	key := 0
	for number, each := range lines {
		for _, user := range each.Users {
			key++
			_, err := recipients.Exec(key, number, user)
			check(err)
		}
	}
	check(recipients.Close())
	check(transaction.Commit())
	if isServer(place) {
		_, err = database.Exec("VACUUM ANALYZE")
	} else {
		_, err = database.Exec("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")
	}
	check(err)
	check(database.Close())
}

// inserted adds rows to a table; closing it completes the insertion.
func inserted(transaction *sql.Tx, place, table string, columns ...string) *sql.Stmt {
	query := "INSERT INTO " + table + " VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")"
	if isServer(place) {
		query = pq.CopyIn(table, columns...)
	}
	statement, err := transaction.Prepare(query)
	check(err)
	return statement
}

// content returns the stored form: text is encrypted, and a file has a digest.
func (l *line) content(sealer cipher.AEAD) ([]byte, *string) {
	if l.File == "" {
		nonce := make([]byte, nonceSize)
		_, err := rand.Read(nonce)
		check(err)
		return sealer.Seal(nonce, nonce, []byte(l.Text), []byte(l.Id+"\n"+l.Users[0])), nil
	}
	content, err := os.ReadFile(l.File)
	check(err)
	sum := sha256.Sum256(content)
	digest := hex.EncodeToString(sum[:])
	return content, &digest
}

func milliseconds(text string) int64 {
	parsed, err := time.Parse(timeFormat, text)
	check(err)
	return parsed.UnixMilli()
}
