import GRDB

extension DatabaseError {
    /// A column holds what hubsend never writes; it reaches callers as ``StoreError/corrupt(_:)``.
    static var damaged: DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a value that was never written")
    }
}
