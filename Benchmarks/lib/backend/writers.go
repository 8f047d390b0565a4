package main

import (
	"database/sql"
	"encoding/json"
	"log"
	"os"
	"sync"
	"time"
)

// The time for which the first receipt waits for others to join its transaction.
const gathering = 50 * time.Millisecond

type receipt struct{ recipient, time int64 }

// receipts durably records who fetched what, with many receipts in one transaction.
type receipts struct {
	database *sql.DB
	queue    chan receipt
	ended    chan struct{}
}

func newReceipts(database *sql.DB) *receipts {
	database.SetMaxOpenConns(1)
	r := &receipts{database, make(chan receipt, 16384), make(chan struct{})}
	go r.run()
	return r
}

func (r *receipts) add(each receipt) { r.queue <- each }

func (r *receipts) close() {
	close(r.queue)
	<-r.ended
}

func (r *receipts) run() {
	defer close(r.ended)
	insert := prepared(r.database, `
		INSERT INTO receipts (recipient, fetched) VALUES ($1, $2)
		ON CONFLICT (recipient) DO UPDATE SET fetched = excluded.fetched WHERE receipts.fetched IS NULL`)
	for first := range r.queue {
		batch := []receipt{first}
		deadline := time.After(gathering)
	gather:
		for len(batch) < cap(r.queue) {
			select {
			case next, isOpen := <-r.queue:
				if !isOpen {
					break gather
				}
				batch = append(batch, next)
			case <-deadline:
				break gather
			}
		}
		for {
			err := r.write(insert, batch)
			if err == nil {
				break
			}
			log.Print(err)
			time.Sleep(time.Second)
		}
	}
}

func (r *receipts) write(insert *sql.Stmt, batch []receipt) error {
	transaction, err := r.database.Begin()
	if err != nil {
		return err
	}
	defer transaction.Rollback()
	statement := transaction.Stmt(insert)
	for _, each := range batch {
		if _, err := statement.Exec(each.recipient, each.time); err != nil {
			return err
		}
	}
	return transaction.Commit()
}

type entry struct {
	Time    time.Time `json:"time"`
	User    *string   `json:"user"`
	Action  string    `json:"action"`
	What    *string   `json:"what"`
	From    string    `json:"from"`
	Outcome string    `json:"outcome"`
}

// audit writes its lines once a second.
type audit struct {
	file  *os.File
	lock  sync.Mutex
	lines []byte
	stop  chan struct{}
	ended chan struct{}
}

func newAudit(path string) *audit {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	check(err)
	a := &audit{file: file, stop: make(chan struct{}), ended: make(chan struct{})}
	go a.run()
	return a
}

func (a *audit) add(each entry) {
	line, err := json.Marshal(each)
	check(err)
	a.lock.Lock()
	a.lines = append(append(a.lines, line...), '\n')
	a.lock.Unlock()
}

func (a *audit) run() {
	defer close(a.ended)
	ticker := time.NewTicker(time.Second)
	for {
		select {
		case <-ticker.C:
			a.flush()
		case <-a.stop:
			a.flush()
			return
		}
	}
}

func (a *audit) flush() {
	a.lock.Lock()
	lines := a.lines
	a.lines = nil
	a.lock.Unlock()
	if _, err := a.file.Write(lines); err != nil {
		log.Print(err)
	}
}

func (a *audit) close() {
	close(a.stop)
	<-a.ended
}
