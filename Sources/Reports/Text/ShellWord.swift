/// A word as a person can paste it into a shell.
package enum ShellWord {
    /// Puts a word in single quotes where a shell would read it otherwise.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="),
                UInt8(ascii: "@"), UInt8(ascii: "+"), UInt8(ascii: ","):
                true
            default:
                false
            }
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}
