/// Where the key of a store's payloads comes from.
package enum PayloadKeySource: Sendable {
    /// The file `<store>.key`, which is made when something is to be encrypted for the first time.
    case fileBesideStore
    /// One that the environment named.
    case given(PayloadKey)
}
