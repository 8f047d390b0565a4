import TestSupport

/// Damages valid files, the same way for the same seed.
struct Mutator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func damaged() -> [UInt8] {
        var bytes = Array(pick(Self.samples).utf8)
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...12, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where place < bytes.count:
                bytes[place] ^= 1 << UInt8.random(in: 0..<6, using: &random)
            case 1:
                bytes.removeSubrange(place..<end)
            case 2:
                let copy = bytes[place..<end]
                bytes.insert(contentsOf: copy, at: Int.random(in: 0...bytes.count, using: &random))
            case 3:
                bytes.insert(UInt8.random(in: 0x20...0x80, using: &random), at: place)
            default:
                bytes.insert(contentsOf: Array(pick(Self.nastiness).utf8), at: place)
            }
        }
        return bytes
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    static let samples = [
        """
        # a campaign
        campaign: spring-sale
        kind: rich
        platforms: [apns, fcm, wns]
        audience:
          usernames: [alice, "bob", 'carol']
          exclude: {usernames: [dave], files: [a.txt]}
        payload:
          message: "Hi {{first_name|there}}, \\u00e9\\n!"
          text: |
            Dear é,

              yours
          note: >-
            folded
            text
        """,
        "- &a {x: 1, y: [2, 3]}\n- *a\n- !!str 5\n- b: *a\n  c:\n- [k: v, ? q : r]\n",
        "\u{FEFF}%YAML 1.2\r\n---\r\n'ключ': \"значение\"\r\n? a\r\n: b\r\n...\r\n",
        "a:\n- b:\n  - c: d\n    e: |+\n      f\n\n  - g\nh: {i: {j: [k, {l: m}]}}\n",
    ]

    private static let nastiness = [
        "[", "]", "{", "}", "{{", "}}", ", ", ": ", ":", "- ", "? ", "\n", "\r", "\t", "\n\n  ",
        "'",
        "\"", "\\", "|", ">", "|9\n", "#", " #", "*a", "&a ", "*", "&", "!", "!!str ", "!<",
        "!x!y ",
        "%TAG ! x\n", "%YAML 1.1\n", "---", "\n---\n", "\n...\n", "<<: ", "@", "`", "%", "~", "é",
        "😀", "\u{2028}", "\u{85}", "\u{FEFF}", "\0", "key: 1\n", "        ", "\\x", "\\u12", "''",
    ]
}
