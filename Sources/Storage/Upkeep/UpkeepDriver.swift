package import CampaignCore

/// Maintenance that differs between stores.
package protocol UpkeepDriver: RelationalStore, Store {
    /// Determines how much work each transaction does.
    var pace: WritePace { get }
    /// Makes earlier versions of changed rows unreadable, if the store can do that.
    ///
    /// - Parameter isEmptied: whether to wait for readers; if false, nobody waits.
    func bringLogIn(isEmptied: Bool) async throws
    /// Encrypts the key for forgotten names with the first payload key, if a payload key protects
    /// it.
    func resealNameHashes(_ db: any SQLConnection) throws
    /// Checks the underlying storage and returns its size and its damage.
    ///
    /// `isReadable` is whether the rows can be read.
    func structure() async throws -> (health: StoreHealth, isReadable: Bool)
    /// The file with the key that recognises forgotten names.
    var nameKeyPath: String { get }
    /// The name hashes for the available keys.
    func nameHashes(_ db: any SQLConnection) throws -> [NameHash]
    /// The hash to use once the first name is forgotten.
    func firstNameHash() async throws -> NameHash
    /// Removes a forgotten person from earlier versions of rows; returns whether no trace of the
    /// name is left.
    ///
    /// - Parameter changed: the tables in which rows of each run were changed.
    func eraseRemains(
        of person: Username, in changed: [Int64: Set<String>], hadRegistrations: Bool
    ) async throws -> Bool
    /// Removes a run's separate tables and any data that only this kind of store has; returns false
    /// if they are still being read.
    func removeTables(of run: Int64) async throws -> Bool
}

extension UpkeepDriver {
    package func bringLogIn(isEmptied: Bool) async throws {}
    package func resealNameHashes(_ db: any SQLConnection) throws {}
    package func removeTables(of run: Int64) async throws -> Bool { true }
}
