/// A key of a mapping, and the property that stores its value.
struct Field<Root>: Sendable {
    let key: KeyShape
    /// Returns whether the key is present and valid.
    let read: @Sendable (MappingReader, inout Root) -> Bool
}

extension KeyShape {
    func into<Root, Value>(
        _ read: @escaping @Sendable (MappingReader, String) -> Value?,
        _ set: @escaping @Sendable (inout Root, Value) -> Void
    ) -> Field<Root> {
        Field(key: self) { reader, root in
            guard let value = read(reader, name) else { return false }
            set(&root, value)
            return true
        }
    }
}

extension MappingShape {
    init<Root>(_ fields: [Field<Root>]) {
        self.init(fields.map(\.key))
    }
}

extension MappingReader {
    /// nil if a required key is missing or invalid; for other invalid keys, the values of
    /// `standard` are used.
    func read<Root>(_ fields: [Field<Root>], into standard: Root) -> Root? {
        var root = standard
        let bad = fields.filter { !$0.read(self, &root) }
        return bad.contains(where: \.key.isRequired) ? nil : root
    }
}
