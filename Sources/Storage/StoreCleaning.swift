package import CampaignCore

package struct DeletedDeliveries: Hashable, Sendable {
    package var runs: Int
    /// The number of recipients; a person in several runs is counted in each of them.
    package var people: Int
    /// The number of other runs whose deletion was begun by an earlier call.
    package var continued: Int

    package init(runs: Int = 0, people: Int = 0, continued: Int = 0) {
        self.runs = runs
        self.people = people
        self.continued = continued
    }

    package mutating func add(_ people: Int) {
        runs += 1
        self.people += people
    }
}

/// The free space in the store's file.
package struct StoreSpace: Hashable, Sendable {
    package var given: Int
    /// Bytes that remain free, because returning them would have blocked writers for too long.
    package var kept: Int

    package init(given: Int = 0, kept: Int = 0) {
        self.given = given
        self.kept = kept
    }
}

package struct ForgottenPerson: Hashable, Sendable {
    package var runs = 0
    /// The number of payloads that were rendered only for this person.
    package var payloads = 0
    package var registrations = 0
    /// Whether the name is also gone from the store's files; always false on a server, whose log
    /// and files keep old rows for a while.
    package var isErased = false

    package init() {}
}

package struct RekeyedPayloads: Hashable, Sendable {
    package var payloads = 0
    /// The number of payloads that no available key decrypts; they are left unchanged.
    package var unreadable = 0
    /// Whether a run is being staged, so that its last payloads may have an earlier key.
    package var isStaging = false
    /// Whether another process began to use another key in the meantime.
    package var isOvertaken = false

    package init() {}

    /// Whether the store now needs only the first key.
    package var isComplete: Bool { unreadable == 0 && !isStaging && !isOvertaken }
}

extension PurgeCounts {
    package static func += (total: inout PurgeCounts, more: PurgeCounts) {
        total.notifications += more.notifications
        total.bytes += more.bytes
    }
}
