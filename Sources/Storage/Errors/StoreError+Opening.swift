import GRDB

extension StoreError {
    /// What kept a store from being opened or closed.
    ///
    /// - Parameters:
    ///   - error: what was thrown.
    ///   - place: the store.
    /// - Returns: the error to throw on.
    static func opening(_ error: any Error, at place: StorePlace) -> StoreError {
        switch error {
        case let error as StoreError: error
        case let error as DatabaseError: StoreError(error, at: place)
        case is RowDecodingError: .corrupt(place)
        default: .inaccessible(place, reason: "\(error)")
        }
    }
}
