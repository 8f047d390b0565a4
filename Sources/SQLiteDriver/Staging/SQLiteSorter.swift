package import CampaignCore
import Files
import GRDB
package import Storage

/// Sorts an audience in SQLite's temporary tables.
///
/// The tables stay in memory until they outgrow SQLite's cache and then move to unnamed files, so a
/// small preview needs no disk and a large audience needs little memory. Rows are appended first
/// and sorted later, all at once.
package actor SQLiteSorter: AudienceSorter {
    /// How many bytes SQLite sorts in memory at once, few enough to fit into a processor's cache.
    private static let sortedAtOnce = 1 << 20

    nonisolated let place: StoreComponent
    private let tables: DatabaseQueue
    private var isKeeping = false
    private var settled = Settlement.Result()
    /// The wave of each zone, by its number in ``ZoneTally``; nil if everybody is sorted only by
    /// name.
    private var arrangement: [Int]?

    /// Creates empty tables.
    ///
    /// The files are in `wanted` or the nearest existing folder above it; if that is not writable,
    /// everything stays in memory. `cache` is in bytes.
    package init(in wanted: String, cache: Int = 4 << 20) throws(StoreError) {
        let folder = try StoreComponent.scratch(folder: wanted).access { () throws(SystemError) in
            try Folder.nearest(wanted)
        }
        try self.init(folder: folder, isWritable: Folder.mayWrite(folder), cache: cache)
    }

    /// Creates empty tables, whose files are next to a store.
    package init(besideStoreAt path: String, cache: Int = 4 << 20) throws(StoreError) {
        try self.init(in: Path.folder(of: path), cache: cache)
    }

    init(folder: String, isWritable: Bool, cache: Int) throws(StoreError) {
        place = .scratch(folder: folder)
        if isWritable { TemporaryFiles.keep(in: folder) }
        var configuration = Configuration()
        configuration.label = "hubsend.sorter"
        do {
            tables = try DatabaseQueue(configuration: configuration)
            try tables.writeWithoutTransaction { db in
                // Sorting uses the cache of `main`, which is otherwise empty.
                try db.execute(
                    sql: """
                        PRAGMA temp_store = \(isWritable ? "FILE" : "MEMORY");
                        PRAGMA temp.cache_size = -\(cache >> 10);
                        PRAGMA main.cache_size = -\(min(cache, Self.sortedAtOnce) >> 10);
                        """)
                try db.execute(sql: Self.schema)
            }
        } catch {
            throw StoreError.opening(error, at: place)
        }
    }

    /// Tables for the entries that are read and the people who are left.
    ///
    /// `kind` is an ``EntryKind``; `people.number` starts at 1, in name order; `people.zone` is a
    /// number in a ``ZoneTally``. `arranged` contains the same people ordered by wave, because a
    /// copy costs less than lookups.
    private static let schema = """
        CREATE TEMP TABLE entries (
            kind INTEGER NOT NULL, name TEXT NOT NULL, origin INTEGER NOT NULL, packed BLOB
        ) STRICT;
        CREATE TEMP TABLE people (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, origin INTEGER NOT NULL, packed BLOB,
            zone INTEGER NOT NULL
        ) STRICT;
        CREATE TEMP TABLE arranged (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, origin INTEGER NOT NULL, packed BLOB
        ) STRICT;
        CREATE TEMP TABLE exclusions (name TEXT NOT NULL, origin INTEGER NOT NULL) STRICT;
        CREATE TEMP TABLE zone_waves (zone INTEGER PRIMARY KEY, wave INTEGER NOT NULL) STRICT;
        """

    /// Empties the tables for another audience; earlier plans can no longer be read.
    package func clear() async throws {
        try await work { db in
            try db.execute(
                sql: """
                    DELETE FROM temp.entries; DELETE FROM temp.people; DELETE FROM temp.arranged;
                    DELETE FROM temp.exclusions;
                    """)
        }
        isKeeping = false
        settled = Settlement.Result()
        arrangement = nil
    }

    package func add(_ members: [AudienceMember]) async throws {
        try await put(members, as: .named)
    }

    package func exclude(_ members: [AudienceMember]) async throws {
        try await put(members, as: .excluded)
    }

    package func keep(_ people: [Username]) async throws {
        isKeeping = true
        try await put(people.map(Self.member), as: .kept)
    }

    package func settle(only: [Username]?) async throws -> AudienceCounts {
        if let only { try await put(only.map(Self.member), as: .sought) }
        settled = try await work { [isKeeping] db in
            var settlement = try Settlement(isKeeping: isKeeping, isSeeking: only != nil, db)
            try NativeStatement(
                "SELECT kind, name, origin, packed FROM entries ORDER BY name, kind, rowid", db
            ).forEachRow { try settlement.take($0) }
            try settlement.finish()
            return settlement.result
        }
        return settled.counts
    }

    package func valueConflicts() -> ValueConflicts { settled.conflicts }

    package func unmatchedExclusions() -> [Int: Int] { settled.exclusions.unmatched }

    package func caseConflicts(limit: Int) async throws -> [CaseConflict] {
        guard settled.hasCapitals else { return [] }
        return try await work { db in try CaseConflictSearch.conflicts(limit: limit, db) }
    }

    package func zones() -> [ZoneCount] { settled.zones.counts }

    package func arrange(_ waves: [[String?]]) async throws {
        let places = settled.zones.places(in: waves)
        // Without waves, the order is the same as for a single wave.
        guard places != arrangement ?? places.map({ _ in 0 }) else { return }
        try await work { db in
            try db.execute(sql: "DELETE FROM zone_waves; DELETE FROM arranged")
            var batch = try RowBatch(into: "zone_waves", [], others: ["zone", "wave"], db)
            for (zone, wave) in places.enumerated() {
                batch.append(zone)
                batch.append(wave)
                try batch.endRow()
            }
            try batch.finish()
            try db.execute(sql: Self.arranging)
        }
        arrangement = places
    }

    /// The wave and the number are combined into one number, which sorts faster.
    private static let arranging = """
        INSERT INTO arranged (name, origin, packed)
        SELECT p.name, p.origin, p.packed
        FROM people p CROSS JOIN zone_waves z ON z.zone = p.zone
        ORDER BY (z.wave << 32) + p.number
        """

    package func page(after number: Int, limit: Int) async throws -> [AudienceMember] {
        let table = arrangement == nil ? "people" : "arranged"
        let members = try await work { db in
            try db.rows(
                """
                SELECT name, origin, packed FROM \(table)
                WHERE number > ?1 ORDER BY number LIMIT ?2
                """, [number, limit]
            ) { row in
                let packed = PackedValues.unpack(try row.optionalBytes(2))
                return AudienceMember(
                    username: Username(checked: try row.text(0)), values: packed.values,
                    language: packed.language, zone: packed.zone,
                    origin: PackedOrigin.unpack(try row.int64(1)))
            }
        }
        // Everything has been read. A run may continue for a long time and should not keep the
        // cache in memory.
        if members.isEmpty { tables.releaseMemory() }
        return members
    }

    private func put(_ members: [AudienceMember], as kind: EntryKind) async throws {
        try await work { db in
            var batch = try RowBatch(
                into: "entries", [], others: ["kind", "name", "origin", "packed"], db)
            for member in members {
                batch.append(kind.rawValue)
                batch.append(member.username.text)
                batch.append(PackedOrigin.pack(member.origin))
                batch.append(
                    kind == .named
                        ? PackedValues.pack(member.language, zone: member.zone, member.values) : nil
                )
                try batch.endRow()
            }
            try batch.finish()
        }
    }

    /// Works on the tables in a transaction on a separate thread; ends early if the task is
    /// cancelled.
    private func work<Value: Sendable>(
        _ body: @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await tables.write(body)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            // The task was cancelled during a statement.
            throw CancellationError()
        } catch {
            throw StoreError.translating(error, at: place)
        }
    }

    /// An entry that only has a name.
    private static func member(_ username: Username) -> AudienceMember {
        AudienceMember(username: username, origin: AudienceOrigin(file: 0, line: 0))
    }
}

/// The role of an entry; roles that decide whether a person is left come before those with the
/// person's data.
private enum EntryKind: Int {
    case excluded, kept, sought, named
}

/// Counts the people that each file excludes, and records which files exclude anybody in the
/// audience.
private struct ExclusionTally {
    private var people: [Int: Int] = [:]
    private var matched: Set<Int> = []
    /// The files that exclude the current person.
    private var current: [Int] = []

    var unmatched: [Int: Int] { people.filter { !matched.contains($0.key) } }

    mutating func begin() {
        if !current.isEmpty { current.removeAll(keepingCapacity: true) }
    }

    /// Adds a file that excludes the person, possibly more than once.
    mutating func add(_ file: Int) {
        guard !current.contains(file) else { return }
        current.append(file)
        people[file, default: 0] += 1
    }

    /// Records that the current person is in the audience.
    mutating func match() {
        for file in current where !matched.contains(file) { matched.insert(file) }
    }
}

/// Goes through all entries by name and records who is left.
private struct Settlement {
    struct Result {
        var counts = AudienceCounts()
        var conflicts = ValueConflicts()
        var exclusions = ExclusionTally()
        var zones = ZoneTally()
        /// Whether any name, left or excluded, has a letter from A to Z.
        var hasCapitals = false
    }

    private(set) var result = Result()

    private let isKeeping: Bool
    private let isSeeking: Bool
    private var people: RowBatch
    private var exclusions: RowBatch

    /// The current name, with the facts from its earlier entries.
    private var name: [UInt8] = []
    private var isExcluded = false
    private var isKept = false
    private var isSought = false
    private var isNamed = false
    private var isLeft = false
    private var hasConflict = false
    /// Where the person was named first, with the values given there.
    private var origin: Int64 = 0
    private var values: [UInt8] = []
    private var buffer: [UInt8] = []

    /// If `isKeeping`, only kept people are counted; if `isSeeking`, only sought people are left.
    init(isKeeping: Bool, isSeeking: Bool, _ db: Database) throws {
        self.isKeeping = isKeeping
        self.isSeeking = isSeeking
        people = try RowBatch(into: "people", [], others: ["name", "origin", "packed", "zone"], db)
        exclusions = try RowBatch(into: "exclusions", [], others: ["name", "origin"], db)
    }

    mutating func take(_ row: NativeRow) throws {
        row.read(1, into: &buffer)
        if buffer != name {
            swap(&buffer, &name)
            (isExcluded, isKept, isSought) = (false, !isKeeping, !isSeeking)
            (isNamed, isLeft, hasConflict) = (false, false, false)
            result.exclusions.begin()
        }
        switch EntryKind(rawValue: row.integer(0)) {
        case .excluded:
            result.exclusions.add(PackedOrigin.unpack(Int64(row.integer(2))).file)
            guard !isExcluded else { return }
            isExcluded = true
            exclusions.append(utf8: name)
            exclusions.append(row.integer(2))
            try exclusions.endRow()
            noteCapitals()
        case .kept: isKept = true
        case .sought: isSought = true
        case .named: try takeNamed(row)
        case nil: throw DamagedValue()
        }
    }

    mutating func finish() throws {
        try people.finish()
        try exclusions.finish()
    }

    private mutating func takeNamed(_ row: NativeRow) throws {
        result.counts.named += 1
        guard !isNamed else {
            result.counts.duplicate += 1
            if isLeft, !hasConflict { compareValues(row) }
            return
        }
        isNamed = true
        result.exclusions.match()
        guard isKept else { return }
        if isExcluded { result.counts.excluded += 1 }
        isLeft = !isExcluded && isSought
        guard isLeft else { return }
        result.counts.final += 1
        origin = Int64(row.integer(2))
        row.read(3, into: &values)
        people.append(utf8: name)
        people.append(origin)
        people.append(values.isEmpty ? nil : values)
        people.append(result.zones.count(PackedValues.zone(in: values)))
        try people.endRow()
        noteCapitals()
    }

    private mutating func compareValues(_ row: NativeRow) {
        row.read(3, into: &buffer)
        // An entry without values, such as one from an earlier run, does not cause a conflict.
        guard buffer != values, !buffer.isEmpty else { return }
        hasConflict = true
        let username = Username(checked: String(decoding: name, as: UTF8.self))
        result.conflicts.add(
            ValueConflicts.Example(
                first: AudienceMember(username: username, origin: PackedOrigin.unpack(origin)),
                other: AudienceMember(
                    username: username, origin: PackedOrigin.unpack(Int64(row.integer(2))))))
    }

    private mutating func noteCapitals() {
        guard !result.hasCapitals else { return }
        result.hasCapitals = name.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    }
}
