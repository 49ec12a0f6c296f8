// Queries with pgx: the argument is the URL.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	one, err := pgx.Connect(ctx, os.Args[1])
	must(err)
	other, err := pgx.Connect(ctx, os.Args[1])
	must(err)
	sum := 0
	for n := 0; n < 8; n++ {
		for _, connection := range []*pgx.Conn{one, other} {
			var value int
			must(connection.QueryRow(ctx, "select $1::int", n).Scan(&value))
			sum += value
		}
	}
	fmt.Println("sum", sum)
	_, err = one.Exec(ctx, "create table of_go (id int, name text)")
	must(err)
	rows := [][]any{{1, "a"}, {2, "b"}, {3, nil}}
	count, err := one.CopyFrom(ctx, pgx.Identifier{"of_go"}, []string{"id", "name"}, pgx.CopyFromRows(rows))
	must(err)
	fmt.Println("copied", count)
	batch := &pgx.Batch{}
	for n := 0; n < 3; n++ {
		batch.Queue("select count(*)::int from of_go where id > $1", n)
	}
	results := other.SendBatch(ctx, batch)
	for n := 0; n < 3; n++ {
		var value int
		must(results.QueryRow().Scan(&value))
		fmt.Println("batch", value)
	}
	must(results.Close())
	_, err = one.Exec(ctx, "select * from missing")
	var failure *pgconn.PgError
	fmt.Println("error", errors.As(err, &failure) && failure.Code == "42P01")
	_, err = one.Exec(ctx, "drop table of_go")
	must(err)
	must(one.Close(ctx))
	must(other.Close(ctx))
}
