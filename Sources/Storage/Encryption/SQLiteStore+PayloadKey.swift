extension SQLiteStore {
    package func checkPayloadKey() async throws {
        _ = try await read(keyring.cipherInUse)
    }
}
