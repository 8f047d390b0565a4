/// Finds bytes that are not UTF-8.
enum UTF8Check {
    /// The index of the first byte of what is no character; nil when all is well.
    static func firstFault(in bytes: ArraySlice<UInt8>) -> Int? {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var index = bytes.startIndex
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar): index += scalar.count
            case .error: return index
            case .emptyInput: return nil
            }
        }
    }
}
