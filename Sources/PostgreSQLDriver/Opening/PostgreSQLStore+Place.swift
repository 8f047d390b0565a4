package import Storage

extension PostgreSQLStore {
    /// Also an incompatible migration, or the beginning of a transfer into it.
    package func placeFault() async -> StoreError? {
        do {
            let version = try await read { db in try StoreVersion(of: db) }
            return switch version {
            case .current(identity): nil
            case .newer, .incomplete: version.refusal(at: place)
            default: .replaced(place)
            }
        } catch StoreError.notAStore {
            // Another program's tables have its names, or the store is incomplete.
            return .replaced(place)
        } catch {
            return nil
        }
    }
}
