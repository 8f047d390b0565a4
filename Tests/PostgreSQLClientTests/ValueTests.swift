import PostgreSQLClient
import TestPostgreSQL
import TestSupport
import Testing

@Suite(.bounded, .postgreSQL) struct ValueTests {
    private let pool: PostgreSQLPool

    init() async throws {
        pool = PostgreSQLPool(
            try await PostgreSQLServer.shared.emptyStore(),
            options: PostgreSQLPoolOptions(connections: 1))
    }

    @Test("Every type is returned as it was sent")
    func everyTypeIsReturnedAsItWasSent() async throws {
        let long = String(repeating: "ü🦉", count: 200_000)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }

        try await pool.transaction(.write) { connection in
            let row = try #require(
                try connection.row(
                    "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11",
                    [
                        Int.min, Int64.max, true, false, "", long, [UInt8](), bytes, 1.5,
                        "Zoë \u{1}\"'\\", -Double.infinity,
                    ]))

            #expect(try row.int(0) == Int.min)
            #expect(try row.int64(1) == Int64.max)
            #expect(try row.bool(2))
            #expect(try !row.bool(3))
            #expect(try row.text(4) == "")
            #expect(try row.text(5) == long)
            #expect(try row.bytes(6) == [])
            #expect(try row.bytes(7) == bytes)
            #expect(try row.double(8) == 1.5)
            #expect(try row.text(9) == "Zoë \u{1}\"'\\")
            #expect(try row.double(10) == -Double.infinity)
        }
    }

    @Test("Null is returned as nil") func nullIsReturnedAsNil() async throws {
        try await pool.transaction(.read) { connection in
            let row = try #require(
                try connection.row(
                    "SELECT $1, $2, $3, $4, $5, $6",
                    [
                        Int?.none, String?.none, [UInt8]?.none, Bool?.none, Double?.none,
                        [Int]?.none,
                    ]))

            #expect((0..<6).allSatisfy { row.isNull($0) })
            #expect(try row.optionalInt(0) == nil)
            #expect(try row.optionalInt64(0) == nil)
            #expect(try row.optionalText(1) == nil)
            #expect(try row.optionalBytes(2) == nil)
            #expect(try row.optionalBool(3) == nil)
            #expect(try row.optionalDouble(4) == nil)
        }
    }

    @Test("Arrays become columns with unnest") func arraysBecomeColumnsWithUnnest() async throws {
        let rows = try await pool.transaction(.read) { connection in
            try connection.rows(
                "SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7) WITH ORDINALITY",
                [
                    [1, 2, 3], ["a", nil, ""] as [String?], [[1], nil, []] as [[UInt8]?],
                    [nil, 5, 6] as [Int64?], [true, false, true], [[7], [], [8, 9]] as [[UInt8]],
                    [0.5, nil, 2] as [Double?],
                ]
            ).map { row in
                """
                \(try row.int(0)) \(try row.optionalText(1) ?? "-") \
                \(try row.optionalBytes(2).map { "\($0)" } ?? "-") \
                \(try row.optionalInt64(3).map { "\($0)" } ?? "-") \(try row.bool(4)) \
                \(try row.bytes(5)) \(try row.optionalDouble(6).map { "\($0)" } ?? "-") \
                \(try row.int(7))
                """
            }
        }

        #expect(
            rows == [
                "1 a [1] - true [7] 0.5 1", "2 - - 5 false [] - 2",
                "3  [] 6 true [8, 9] 2.0 3",
            ])
    }

    @Test("An empty array produces no rows") func emptyArrayProducesNoRows() async throws {
        let count = try await pool.transaction(.read) { connection in
            try connection.rows("SELECT * FROM unnest($1)", [[Int]()]).count
        }

        #expect(count == 0)
    }

    @Test("Smaller column types can be read") func smallerColumnTypesCanBeRead() async throws {
        try await pool.transaction(.read) { connection in
            let row = try #require(
                try connection.row(
                    """
                    SELECT (-2)::int2, 70000::int4, 'a'::varchar, 'b'::char(2), 'c'::name, 4000000000::oid,
                        0.5::float4, '{}'::json
                    """))

            #expect(try row.int(0) == -2)
            #expect(try row.int(1) == 70_000)
            #expect(try row.text(2) == "a")
            #expect(try row.text(3) == "b ")
            #expect(try row.text(4) == "c")
            #expect(try row.int(5) == 4_000_000_000)
            #expect(try row.double(6) == 0.5)
            #expect(try row.text(7) == "{}")
        }
    }

    @Test(
        "Other types are not read as integers",
        arguments: ["SELECT 1::numeric", "SELECT 'a'", "SELECT NULL::int8", "SELECT"])
    func otherTypesAreNotReadAsIntegers(sql: String) async throws {
        try await pool.transaction(.read) { connection in
            let row = try #require(try connection.row(sql))
            let error = #expect(throws: PostgreSQLError.self) { try row.int(0) }

            #expect(error?.kind == .unexpectedValue)
        }
    }

    @Test("Rows arrive one by one") func rowsArriveOneByOne() async throws {
        let sum = try await pool.transaction(.read) { connection in
            var sum = 0
            try connection.forEachRow("SELECT generate_series(1, $1)", [50_000]) { row in
                sum += try row.int(0)
            }
            return sum
        }

        #expect(sum == 50_000 * 50_001 / 2)
    }

    @Test("If a reader stops early, the server's query is also stopped")
    func ifAReaderStopsEarlyTheServersQueryIsAlsoStopped() async throws {
        struct Enough: Error {}

        await #expect(throws: Enough.self) {
            try await pool.transaction(.read) { connection in
                try connection.forEachRow("SELECT generate_series(1, 1000000000000)") { row in
                    if try row.int(0) == 10 { throw Enough() }
                }
            }
        }
        #expect(try await pool.transaction(.read) { try $0.execute("SELECT 1") } == 1)
    }

    @Test("Twenty thousand rows are copied") func twentyThousandRowsAreCopied() async throws {
        try await pool.transaction(.write) { connection in
            try connection.executeScript(
                """
                CREATE TABLE people (id int8, rank int4, kind int2, name text, body bytea, is_new bool, share float8)
                """)
            let count = try connection.copy(
                into: "people",
                columns: ["id", "rank", "kind", "name", "body", "is_new", "share"]
            ) { copy in
                for number in 0..<20_000 {
                    copy.beginRow(7)
                    copy.append(number)
                    copy.append(int4: number == 7 ? nil : Int32(number))
                    copy.append(int2: Int16(number % 3))
                    copy.append(number == 7 ? nil : "näme \(number)")
                    copy.append([UInt8](repeating: 1, count: number % 50))
                    copy.append(number.isMultiple(of: 2))
                    copy.append(0.5)
                }
            }
            let row = try #require(
                try connection.row(
                    """
                    SELECT count(*), sum(id)::int8, sum(length(body))::int8, count(rank), count(*) FILTER (WHERE is_new),
                        max(name), sum(share)
                    FROM people
                    """))

            #expect(count == 20_000)
            #expect(try row.int(0) == 20_000)
            #expect(try row.int(1) == 19_999 * 10_000)
            #expect(try row.int(2) == 400 * 49 * 25)
            #expect(try row.int(3) == 19_999)
            #expect(try row.int(4) == 10_000)
            #expect(try row.text(5) == "näme 9999")
            #expect(try row.double(6) == 10_000)
        }
    }

    @Test("A failed copy stores no rows and reports the reason")
    func failedCopyStoresNoRowsAndReportsTheReason() async throws {
        try await pool.withConnection { connection in
            try connection.executeScript("CREATE TABLE people (id int8 PRIMARY KEY)")
        }
        let error = await #expect(throws: PostgreSQLError.self) {
            try await pool.transaction(.write) { connection in
                try connection.copy(into: "people", columns: ["id"]) { copy in
                    for number in 0..<100_000 {
                        copy.beginRow(1)
                        copy.append(number % 50_000)
                    }
                }
            }
        }

        #expect(error?.kind == .uniqueViolation)
        #expect(error?.constraint == "people_pkey")
        #expect(
            try await pool.transaction(.read) { try $0.rows("SELECT * FROM people").count } == 0)
    }

    @Test("A copy whose source fails stores no rows")
    func copyWhoseSourceFailsStoresNoRows() async throws {
        struct Unreadable: Error {}
        try await pool.withConnection { connection in
            try connection.executeScript("CREATE TABLE people (id int8)")
            #expect(throws: Unreadable.self) {
                try connection.copy(into: "people", columns: ["id"]) { copy in
                    copy.beginRow(1)
                    copy.append(1)
                    throw Unreadable()
                }
            }
            #expect(try connection.rows("SELECT * FROM people").isEmpty)
        }
    }
}
