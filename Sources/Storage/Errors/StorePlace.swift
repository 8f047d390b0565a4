/// What of the storage a ``StoreError`` is about.
package enum StorePlace: Hashable, Sendable, CustomStringConvertible {
    /// The store's file.
    case store(path: String)
    /// The scratch area in which audiences are sorted.
    case scratch(folder: String)
    /// The file that holds the key of the payloads.
    case payloadKey(path: String)
    /// The file that says how far the store has come.
    case mark(path: String)

    /// As the subject of a sentence, after its first word.
    package var description: String {
        switch self {
        case .store(let path): "store \(path)"
        case .scratch(let folder): "scratch area in \(folder)"
        case .payloadKey(let path): "key file \(path)"
        case .mark(let path): "mark file \(path)"
        }
    }
}
