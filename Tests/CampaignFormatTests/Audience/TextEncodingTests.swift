import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct TextEncodingTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// UTF-16 as written by Windows or Java.
    private static func utf16(
        _ text: String, isBigEndian: Bool = false, isMarked: Bool = true
    ) -> [UInt8] {
        ((isMarked ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
    }

    private func read(
        _ bytes: [UInt8], as encoding: TextEncoding, in name: String = "people.csv"
    ) throws -> (members: [AudienceMember], errors: [AudienceFileError]) {
        try folder.people(
            bytes, in: name, variables: ["name"],
            options: AudienceFileOptions(encoding: encoding))
    }

    @Test("UTF-16 is read in both byte orders", arguments: [false, true], [false, true])
    func utf16IsReadInBothByteOrders(isBigEndian: Bool, isMarked: Bool) throws {
        let text = "username;name\r\nalice;\"Älice\n😀\"\r\nbob;Bob\r\n"
        let people = try read(
            Self.utf16(text, isBigEndian: isBigEndian, isMarked: isMarked), as: .utf16)
        #expect(people.errors.isEmpty, "\(people.errors)")
        #expect(people.members.map(\.username.text) == ["alice", "bob"])
        #expect(people.members.map(\.values) == [["Älice\n😀"], ["Bob"]])
        #expect(people.members.map(\.origin.line) == [2, 4])
    }

    @Test("Windows-1252 is read with its special characters")
    func windows1252IsReadWithItsSpecialCharacters() throws {
        let bytes =
            Array("username,name\r\nalice,K".utf8) + [0xF6] + Array("ln ".utf8)
            + [0x80, 0x93, 0x94, 0x9F, 0xFF] + Array("\r\n".utf8)
        let people = try read(bytes, as: .windows1252)
        #expect(people.errors.isEmpty, "\(people.errors)")
        #expect(people.members.map(\.values) == [["Köln €“”Ÿÿ"]])
    }

    @Test("Every Windows-1252 character is decoded as the standard specifies")
    func everyWindows1252CharacterIsDecodedAsTheStandardSpecifies() throws {
        let none: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]
        let transcoder = try #require(try Transcoder(.windows1252, beginning: []))
        for byte in UInt8(0)...255 {
            var (raw, text, end) = ([byte], [UInt8](repeating: 0, count: 8), 0)
            transcoder.decode(&raw, into: &text, at: &end, isLast: true)
            let isSame = text[..<end] == [byte]
            #expect(isSame == (byte < 0x80 || none.contains(byte)))
        }
    }

    /// The text is complete no matter where a block of the file ends, even between the halves of a
    /// character.
    @Test("Large files in other encodings are read in pieces")
    func largeFilesInOtherEncodingsAreReadInPieces() throws {
        let rows = (0..<9_000).map { "person-\($0),\"😀 \($0)\"" }
        let text = "username,name\n" + rows.joined(separator: "\n")
        for isMarked in [true, false] {
            let people = try read(Self.utf16(text, isMarked: isMarked), as: .utf16)
            #expect(people.errors.isEmpty)
            #expect(people.members.count == 9_000)
            #expect(people.members.last?.values == ["😀 8999"])
            #expect(people.members.last?.origin.line == 9_001)
        }
    }

    @Test(
        "A partial character produces an error in its line",
        arguments: [
            ([0x00, 0xD8, 0x61, 0x00], 4), ([0x00, 0xDC], 4), ([0x61], 4),
        ] as [([UInt8], Int)])
    func partialCharacterProducesAnErrorInItsLine(bytes: [UInt8], column: Int) throws {
        // Only the last byte of a file can lack the other half of its pair.
        let end = bytes.count.isMultiple(of: 2) ? Self.utf16("\nbob", isMarked: false) : []
        let people = try read(
            Self.utf16("alice\nxyz") + bytes + end, as: .utf16, in: "people.txt")
        #expect(
            people.members.map(\.username.text) == (end.isEmpty ? ["alice"] : ["alice", "bob"]))
        #expect(people.errors.map(\.range.line) == [2])
        #expect(people.errors.map(\.range.column) == [column])
        #expect(people.errors.first?.message.text.contains("is not UTF-16") == true)
    }

    @Test("A byte that Windows-1252 does not define is shown in the error")
    func byteThatWindows1252DoesNotDefineIsShownInTheError() throws {
        let people = try read(
            Array("username,name\nalice,A".utf8) + [0x81] + Array("\nbob,Bob\n".utf8),
            as: .windows1252)
        #expect(people.members.map(\.username.text) == ["bob"])
        #expect(people.errors.map(\.range.line) == [2])
        #expect(people.errors.first?.message.text.contains("0x81") == true)
    }

    /// If read in the wrong encoding, each of these words would silently become a different word.
    @Test(
        "An entry with the wrong encoding is refused",
        arguments: [
            (.utf16, Array("username,name\nalice,Alice\n".utf8), "is not UTF-16"),
            (.utf16, Array("\u{FEFF}username\nalice\n".utf8), "is not UTF-16"),
            (.windows1252, Array("username,name\nalice,Jürgen\n".utf8), "but the file is UTF-8"),
            (.windows1252, Array("\u{FEFF}username\nalice\n".utf8), "but the file is UTF-8"),
            (.windows1252, Self.utf16("username\nalice\n"), "but the file is UTF-16"),
            (.utf8, Self.utf16("username\nalice\n"), "starts like UTF-16"),
            (.utf16, [0x50, 0x4B, 3, 4] + Array("xl/workbook.xml".utf8), "an Excel file"),
        ] as [(TextEncoding, [UInt8], String)])
    func entryWithTheWrongEncodingIsRefused(
        encoding: TextEncoding, bytes: [UInt8], words: String
    ) throws {
        let people = try read(bytes, as: encoding)
        #expect(people.members.isEmpty)
        #expect(people.errors.count == 1)
        #expect(people.errors.first?.isFinal == true)
        #expect(
            people.errors.first?.message.text.contains(words) == true,
            "\(people.errors.first?.message.text ?? "")")
    }

    @Test("An empty file is empty in every encoding", arguments: TextEncoding.allCases)
    func emptyFileIsEmptyInEveryEncoding(encoding: TextEncoding) throws {
        let people = try read([], as: encoding, in: "people.txt")
        #expect(people.members.isEmpty && people.errors.isEmpty)
    }
}
