// A simple app backend. Benchmarks/serve compares hubsend serve with it.
//
// For each request it does the same as hubsend: it verifies the token's signature, issuer, audience and times, finds the
// notification and checks that the caller is a recipient, decrypts the payload, writes a durable receipt for the first
// fetch, and adds a line to the audit log. DATABASE is the file of an SQLite database, or the address of a PostgreSQL database.
//
// Usage:
//
//	backend import DATABASE KEY <LINES
//	backend serve DATABASE KEY PUBLIC-KEY AUDIT [CERTIFICATE CERTIFICATE-KEY]
package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/tls"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/golang-jwt/jwt"
	_ "github.com/lib/pq"
	_ "github.com/mattn/go-sqlite3"
)

const (
	issuer          = "benchmark"
	audience        = "hubsend"
	keyID           = "benchmark"
	longestLifetime = 24 * time.Hour
)

func main() {
	log.SetFlags(0)
	arguments := os.Args[1:]
	switch {
	case len(arguments) == 3 && arguments[0] == "import":
		importLines(arguments[1], sealer(arguments[2]))
	case (len(arguments) == 5 || len(arguments) == 7) && arguments[0] == "serve":
		serve(arguments[1:])
	default:
		log.Fatal("usage: backend import DATABASE KEY | serve DATABASE KEY PUBLIC-KEY AUDIT [CERTIFICATE KEY]")
	}
}

type backend struct {
	fetch, list *sql.Stmt
	key         *ecdsa.PublicKey
	parser      *jwt.Parser
	sealer      cipher.AEAD
	receipts    *receipts
	audit       *audit
}

func serve(arguments []string) {
	readers := open(arguments[0], "mode=ro")
	readers.SetMaxOpenConns(2 * runtime.NumCPU())
	readers.SetMaxIdleConns(2 * runtime.NumCPU())
	pem, err := os.ReadFile(arguments[2])
	check(err)
	key, err := jwt.ParseECPublicKeyFromPEM(pem)
	check(err)
	b := &backend{
		fetch: prepared(readers, fetchQuery), list: prepared(readers, listQuery), key: key,
		parser: jwt.NewParser(jwt.WithValidMethods([]string{"ES256"})), sealer: sealer(arguments[1]),
		receipts: newReceipts(open(arguments[0], "_synchronous=FULL&_txlock=immediate")),
		audit:    newAudit(arguments[3]),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/notifications", b.answer("list", b.getList))
	mux.HandleFunc("/api/notifications/", b.answer("fetch", b.getNotification))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 16384}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	if len(arguments) == 6 {
		certificate, err := tls.LoadX509KeyPair(arguments[4], arguments[5])
		check(err)
		listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{certificate}})
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	ended := make(chan struct{})
	go func() {
		<-stop
		check(server.Shutdown(context.Background()))
		close(ended)
	}()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
	<-ended
	b.receipts.close()
	b.audit.close()
}

// answer adds to a handler what all requests share: finding the caller, the audit log, and errors.
func (b *backend) answer(action string, handler func(http.ResponseWriter, *http.Request, string) (string, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Vary", "Authorization")
		entry := entry{Time: time.Now(), Action: action}
		entry.From, _, _ = net.SplitHostPort(r.RemoteAddr)
		if id := strings.TrimPrefix(r.URL.Path, "/api/notifications/"); id != r.URL.Path {
			entry.What = &id
		}
		user, err := b.caller(r)
		switch {
		case err != nil:
			entry.Outcome = "unauthenticated"
			header.Set("WWW-Authenticate", "Bearer")
			fail(w, http.StatusUnauthorized, "Sign in to do this.")
		case r.Method != http.MethodGet:
			entry.User, entry.Outcome = &user, "malformed"
			header.Set("Allow", "GET")
			fail(w, http.StatusMethodNotAllowed, "This path accepts GET.")
		default:
			entry.User = &user
			if entry.Outcome, err = handler(w, r, user); err != nil {
				log.Print(err)
				entry.Outcome = "unavailable"
				fail(w, http.StatusServiceUnavailable, "The service is not available at the moment; try again later.")
			}
		}
		b.audit.add(entry)
	}
}

// caller verifies the token and returns its user.
func (b *backend) caller(r *http.Request) (string, error) {
	field := r.Header.Get("Authorization")
	text := strings.TrimPrefix(field, "Bearer ")
	if text == field {
		return "", errors.New("there is no token")
	}
	var claims jwt.RegisteredClaims
	_, err := b.parser.ParseWithClaims(text, &claims, func(token *jwt.Token) (interface{}, error) {
		if token.Header["kid"] != keyID {
			return nil, errors.New("unknown key")
		}
		return b.key, nil
	})
	if err != nil {
		return "", err
	}
	if !claims.VerifyIssuer(issuer, true) || !claims.VerifyAudience(audience, true) ||
		claims.ExpiresAt == nil || claims.IssuedAt == nil || claims.Subject == "" ||
		claims.ExpiresAt.Sub(claims.IssuedAt.Time) > longestLifetime {
		return "", errors.New("the claims are wrong")
	}
	return claims.Subject, nil
}

const fetchQuery = `
	SELECT r.key, n.kind, n.media_type, n.digest, n.expires, n.content, t.fetched IS NOT NULL, t.read IS NOT NULL
	FROM notifications n
	JOIN recipients r ON r.notification = n.key
	LEFT JOIN receipts t ON t.recipient = r.key
	WHERE n.id = $1 AND r."user" = $2`

func (b *backend) getNotification(w http.ResponseWriter, r *http.Request, user string) (string, error) {
	id := strings.TrimPrefix(r.URL.Path, "/api/notifications/")
	var recipient, expires int64
	var kind string
	var mediaType, digest sql.NullString
	var content []byte
	var isFetched, isRead bool
	err := b.fetch.QueryRow(id, user).Scan(
		&recipient, &kind, &mediaType, &digest, &expires, &content, &isFetched, &isRead)
	if errors.Is(err, sql.ErrNoRows) {
		fail(w, http.StatusNotFound, "There is no such notification.")
		return "not_found", nil
	}
	if err != nil {
		return "", err
	}
	if expires <= time.Now().UnixMilli() {
		fail(w, http.StatusGone, "The notification has expired.")
		return "expired", nil
	}
	if kind == "secure" {
		text, err := b.sealer.Open(nil, content[:nonceSize], content[nonceSize:], []byte(id+"\n"+user))
		if err != nil {
			return "", err
		}
		err = send(w, http.StatusOK, struct {
			Id, Payload string
			Read        bool
		}{id, string(text), isRead})
		if err != nil {
			return "cut_off", nil
		}
	} else {
		tag := `"` + digest.String + `"`
		header := w.Header()
		header.Set("Cache-Control", "private")
		header.Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			header.Del("X-Content-Type-Options")
			w.WriteHeader(http.StatusNotModified)
			return "not_modified", nil
		}
		header.Set("Content-Security-Policy", "sandbox")
		header.Set("Content-Type", mediaType.String)
		header.Set("Content-Length", fmt.Sprint(len(content)))
		if _, err := w.Write(content); err != nil {
			return "cut_off", nil
		}
	}
	if !isFetched {
		b.receipts.add(receipt{recipient, time.Now().UnixMilli()})
	}
	return "ok", nil
}

const listQuery = `
	SELECT n.id, n.kind, n.type, n.message, n.media_type, n.created, n.expires, t.read IS NOT NULL
	FROM recipients r
	JOIN notifications n ON n.key = r.notification
	LEFT JOIN receipts t ON t.recipient = r.key
	WHERE r."user" = $1 AND n.expires > $2
	ORDER BY n.created DESC
	LIMIT 50`

type description struct {
	Id, Kind                     string
	RichType, Message, MediaType *string
	Created, Expires             string
	Read                         bool
}

func (b *backend) getList(w http.ResponseWriter, r *http.Request, user string) (string, error) {
	rows, err := b.list.Query(user, time.Now().UnixMilli())
	if err != nil {
		return "", err
	}
	defer rows.Close()
	found := []description{}
	for rows.Next() {
		var each description
		var created, expires int64
		err := rows.Scan(&each.Id, &each.Kind, &each.RichType, &each.Message, &each.MediaType, &created, &expires, &each.Read)
		if err != nil {
			return "", err
		}
		each.Created, each.Expires = timeText(created), timeText(expires)
		found = append(found, each)
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	if err := send(w, http.StatusOK, found); err != nil {
		return "cut_off", nil
	}
	return "ok", nil
}

const timeFormat = "2006-01-02T15:04:05.000Z"

func timeText(milliseconds int64) string {
	return time.UnixMilli(milliseconds).UTC().Format(timeFormat)
}

func send(w http.ResponseWriter, status int, value interface{}) error {
	text, err := json.Marshal(value)
	check(err)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	w.WriteHeader(status)
	_, err = w.Write(text)
	return err
}

func fail(w http.ResponseWriter, status int, message string) {
	// A client that has disconnected needs no answer.
	_ = send(w, status, struct{ Message string }{message})
}

const nonceSize = 12

// sealer reads a key of 32 bytes in Base64.
func sealer(path string) cipher.AEAD {
	text, err := os.ReadFile(path)
	check(err)
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	check(err)
	block, err := aes.NewCipher(key)
	check(err)
	aead, err := cipher.NewGCM(block)
	check(err)
	return aead
}

func isServer(place string) bool { return strings.HasPrefix(place, "postgresql:") }

// open opens a database; options apply to a file.
func open(place, options string) *sql.DB {
	driver := "postgres"
	if !isServer(place) {
		driver, place = "sqlite3", "file:"+place+"?_journal_mode=WAL&_busy_timeout=5000&"+options
	}
	database, err := sql.Open(driver, place)
	check(err)
	return database
}

func prepared(database *sql.DB, query string) *sql.Stmt {
	statement, err := database.Prepare(query)
	check(err)
	return statement
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
