"""Queries with psycopg: the argument is the URL."""
import sys

import psycopg

url = sys.argv[1]
with psycopg.connect(url, autocommit=True) as one, psycopg.connect(url, autocommit=True) as other:
    total = 0
    for n in range(8):
        for connection in (one, other):
            total += connection.execute("select %s::int", (n,), prepare=True).fetchone()[0]
    print("sum", total)
    with one.transaction():
        one.execute("create table of_python (id int, name text)")
        with one.cursor().copy("copy of_python from stdin") as copy:
            for n in range(5):
                copy.write_row((n, f"n{n}"))
    with other.cursor().copy("copy of_python to stdout") as copy:
        print("copied", sum(1 for _ in copy.rows()))
    with one.pipeline():
        results = [one.execute("select %s::int", (n,)) for n in range(3)]
    print("pipeline", [each.fetchone()[0] for each in results])
    with one.transaction(), one.cursor("parts") as cursor:
        cursor.execute("select * from of_python order by id")
        print("cursor", [row[0] for row in cursor.fetchmany(2)])
    try:
        one.execute("select * from missing")
    except psycopg.errors.UndefinedTable as error:
        print("error", error.sqlstate)
    one.execute("drop table of_python")
