package main

import (
	"bufio"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"
)

const schema = `
	CREATE TABLE notifications (
		key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, type TEXT, message TEXT, media_type TEXT,
		digest TEXT, created INTEGER NOT NULL, expires INTEGER NOT NULL, content BLOB NOT NULL);
	CREATE TABLE recipients (
		key INTEGER PRIMARY KEY, notification INTEGER NOT NULL REFERENCES notifications, user TEXT NOT NULL,
		UNIQUE (user, notification));
	CREATE TABLE receipts (recipient INTEGER PRIMARY KEY, fetched INTEGER, read INTEGER);`

// line is a notification and who gets it: one person, with a text of their own, or many, with a file.
type line struct {
	description
	Text, File string
	Users      []string
}

// importLines makes a database of the lines on standard input.
func importLines(path string, sealer cipher.AEAD) {
	database := open(path, "_synchronous=FULL")
	database.SetMaxOpenConns(1)
	_, err := database.Exec(schema)
	check(err)
	transaction, err := database.Begin()
	check(err)
	notifications, err := transaction.Prepare("INSERT INTO notifications VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
	check(err)
	recipients, err := transaction.Prepare("INSERT INTO recipients VALUES (NULL, ?, ?)")
	check(err)
	lines := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		var each line
		err := lines.Decode(&each)
		if errors.Is(err, io.EOF) {
			break
		}
		check(err)
		content, digest := each.content(sealer)
		result, err := notifications.Exec(each.Id, each.Kind, each.RichType, each.Message, each.MediaType, digest,
			milliseconds(each.Created), milliseconds(each.Expires), content)
		check(err)
		key, err := result.LastInsertId()
		check(err)
		for _, user := range each.Users {
			_, err := recipients.Exec(key, user)
			check(err)
		}
	}
	check(transaction.Commit())
	_, err = database.Exec("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")
	check(err)
	check(database.Close())
}

// content is what is stored: a text is encrypted, a file has a digest.
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
