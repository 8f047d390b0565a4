extension BackendClient: CustomStringConvertible, CustomReflectable {
    /// What it is, and nothing that it holds.
    public nonisolated var description: String { "BackendClient" }

    /// Nothing: a look into an actor at work, or into what carries its requests, could see credentials, and what changes
    /// meanwhile.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}
