import FoundationEssentials
import PostgreSQLClient

enum ServerTime {
    /// When the server was started, as text; differs after a failover.
    static let serverStart = "pg_postmaster_start_time()::text"

    /// A `timestamptz` for ``date(_:_:)``.
    static func seconds(_ time: String) -> String {
        "extract(epoch FROM \(time))::double precision"
    }

    static func date(_ row: PostgreSQLRow, _ column: Int) throws -> Date {
        Date(timeIntervalSince1970: try row.double(column))
    }
}
