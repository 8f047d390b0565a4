import PostgreSQLClient
import Storage

/// How what stands in a schema compares with what this version makes.
enum StoreVersion: Equatable {
    /// None of the schemas that the session looks into is there.
    case noSchema
    /// Nothing is there yet.
    case empty
    /// Made by an older version of hubsend; its number.
    case older(Int)
    /// What this version makes, or what it can go on working with; the store's identity.
    case current(identity: String)
    /// What this version makes, and not all of it is there that it is being filled from; the store's identity.
    case incomplete(identity: String)
    /// Made by a newer version that this one cannot go on working with.
    case newer
    /// Another program's.
    case foreign

    /// Looks without changing anything.
    ///
    /// - Throws: `PostgreSQLError`; ``DamagedValue`` when the store does not say what it is.
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
            let identity = try row.text(2)
            let origin = try StoreOrigin.find(db)
            self =
                origin?.hasEnded ?? true
                ? .current(identity: identity) : .incomplete(identity: identity)
        }
    }

    /// The schema in which tables are made and found first, whether it is a store, and whether it has tables, views or sequences that
    /// are no part of an extension.
    ///
    /// The last is only asked where there is no store, and of what the schema itself lists: a server may have very many relations.
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
