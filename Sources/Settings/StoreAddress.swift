/// Where the store is.
package enum StoreAddress: Hashable, Sendable {
    /// A file, absolute and without links.
    case file(String)
}
