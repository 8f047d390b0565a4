import PostgreSQLClient
package import Storage

/// How a schema compares with the schema of this version.
enum StoreVersion: Equatable {
    /// None of the session's schemas exists.
    case noSchema
    case empty
    case older(Int)
    /// Created by this version or a compatible one; the value is the store's identity.
    case current(String)
    /// A store of this version that is still being filled from another store.
    case incomplete(String)
    /// Created by a newer version that is not compatible.
    case newer
    case foreign

    init(of db: PostgreSQLConnection) throws {
        guard let look = try db.row(Self.look), !look.isNull(0) else {
            self = .noSchema
            return
        }
        guard try look.bool(1) else {
            self = try look.bool(2) ? .foreign : .empty
            return
        }
        guard
            let row = try db.row("SELECT version, least_version, identity FROM hubsend_schema"),
            case let (version, least) = (try row.int(0), try row.int(1)),
            least >= 1, least <= version
        else { throw DamagedValue() }
        if version < StoreSchema.version {
            self = .older(version)
        } else if least > StoreSchema.version {
            self = .newer
        } else {
            let (identity, origin) = (try row.text(2), try StoreOrigin.find(db))
            self = origin?.hasEnded == false ? .incomplete(identity) : .current(identity)
        }
    }

    /// Why a store of a different version cannot be used.
    func refusal(at place: StoreComponent) -> StoreError {
        switch self {
        case .noSchema:
            .refused(place, reason: "no schema in its search_path exists")
        case .empty, .current: .notFound(place)
        case .older: .olderVersion(place)
        case .incomplete: .incomplete(place)
        case .newer: .newerVersion(place)
        case .foreign: .notAStore(place)
        }
    }

    /// The first schema in which tables can be created, whether it contains a store, and whether it
    /// contains other relations that were not created by an extension.
    ///
    /// The last column is computed only if there is no store, and only for this schema, because a
    /// server may have very many relations.
    private static let look = """
        SELECT current_schema()::text, s.is_store, s.is_store OR EXISTS (
            SELECT 1 FROM pg_depend m JOIN pg_class c ON c.oid = m.objid
            WHERE m.refclassid = 'pg_namespace'::regclass AND m.refobjid = n.oid
                AND m.classid = 'pg_class'::regclass
                AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
                AND NOT EXISTS (SELECT 1 FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                        AND d.deptype = 'e'))
        FROM pg_namespace n
        CROSS JOIN LATERAL (SELECT EXISTS (SELECT 1 FROM pg_class
            WHERE relname = 'hubsend_schema' AND relnamespace = n.oid AND relkind = 'r')) s (is_store)
        WHERE n.nspname = current_schema()
        """
}

extension PostgreSQLStore {
    /// This includes an incompatible migration and the beginning of a transfer into the store.
    package func placeProblem() async -> StoreError? {
        do {
            let version = try await read { db in try StoreVersion(of: db) }
            return switch version {
            case .current(identity): nil
            case .newer, .incomplete: version.refusal(at: place)
            default: .replaced(place)
            }
        } catch StoreError.notAStore {
            // Another program's tables have the same names, or the store is incomplete.
            return .replaced(place)
        } catch {
            return nil
        }
    }
}
