import FoundationEssentials
import PostgreSQLClient

/// Times by the server's own clock.
enum ServerTime {
    /// An expression for when the server was started, as a text; after a failover, the time is another one.
    static let serverStart = "pg_postmaster_start_time()::text"

    /// An expression for a `timestamptz` that ``date(_:_:)`` reads.
    static func seconds(_ time: String) -> String {
        "extract(epoch FROM \(time))::double precision"
    }

    /// A column of ``seconds(_:)``.
    static func date(_ row: PostgreSQLRow, _ column: Int) throws -> Date {
        Date(timeIntervalSince1970: try row.double(column))
    }
}
