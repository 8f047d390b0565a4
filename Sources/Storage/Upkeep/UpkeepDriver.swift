package import CampaignCore

/// What stores do differently to keep themselves in order.
package protocol UpkeepDriver: RelationalStore, Store {
    /// How much each of many transactions does.
    var pace: WritePace { get }
    /// Makes earlier versions of changed rows unreadable, as far as the store can.
    ///
    /// - Parameter isEmptied: waits for readers; otherwise nobody waits.
    func bringLogIn(isEmptied: Bool) async throws
    /// Encrypts what recognises forgotten names with the first payload key, if a payload key
    /// protects it.
    func resealNameHashes(_ db: any SQLConnection) throws
    /// Looks at what the rows are stored in, and says how large it is and what is wrong with it.
    ///
    /// Returns whether the rows can be read then.
    func structure() async throws -> (health: StoreHealth, isReadable: Bool)
    /// The file with the key that recognises forgotten names.
    var nameKeyPath: String { get }
    /// What the keys at hand recognise forgotten names by.
    func nameHashes(_ db: any SQLConnection) throws -> [NameHash]
    /// What will recognise them from the first one on.
    func firstNameHash() async throws -> NameHash
    /// Removes what a forgotten person left in earlier versions of rows; whether nothing of the
    /// name is left.
    ///
    /// - Parameter changed: the tables in which rows of each run were changed.
    func eraseRemains(
        of person: Username, in changed: [Int64: Set<String>], hadRegistrations: Bool
    ) async throws -> Bool
    /// Removes a run's own tables and all that a file does not keep of it; false: somebody still
    /// reads them.
    func removeTables(of run: Int64) async throws -> Bool
}

extension UpkeepDriver {
    package func bringLogIn(isEmptied: Bool) async throws {}
    package func resealNameHashes(_ db: any SQLConnection) throws {}
    package func removeTables(of run: Int64) async throws -> Bool { true }
}
