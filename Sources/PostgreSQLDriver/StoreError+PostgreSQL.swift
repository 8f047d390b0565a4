import PostgreSQLClient
import Storage

extension StoreError {
    /// Translates errors of the client; a ``StoreError`` and errors unrelated to servers are
    /// returned unchanged.
    static func translating(_ error: any Error, at place: StoreComponent) -> any Error {
        if error is DamagedValue { return StoreError.corrupt(place) }
        guard let error = error as? PostgreSQLError else { return error }
        let translated: StoreError =
            switch error.kind {
            case .unreachable, .shuttingDown: .unreachable(place, reason: Self.clause(error))
            case .tooManyConnections: .busy(place, reason: Self.clause(error))
            case .refused: .refused(place, reason: Self.clause(error))
            case .withoutSessions: .withoutSessions(place)
            case .lost: .connectionLost(place)
            case .interrupted: .interrupted(place, reason: error.message)
            case .lockTimeout, .serialization: .locked(place)
            case .diskFull: .diskFull(place)
            case .readOnly: .readOnly(place)
            case .damaged, .unexpectedValue: .corrupt(place)
            case .undefinedObject: .notAStore(place)
            case .uniqueViolation, .other:
                .unexpected(
                    place, code: 0, message: "\(error.sqlState ?? "-----") \(error.message)")
            }
        return translated
    }

    /// An error's message without a final full stop, for use within a sentence.
    private static func clause(_ error: PostgreSQLError) -> String {
        String(error.message.reversed().drop { $0 == "." }.reversed())
    }
}
