import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct SystemTimeZonesTests {
    @Test("The time zones come from the system") func timeZonesComeFromTheSystem() throws {
        let zones = SystemTimeZones()
        let names = zones.names
        #expect(names == names.sorted() && names.count > 300)
        #expect(names.contains("America/Argentina/Ushuaia") && names.contains("Europe/Berlin"))
        #expect(!names.contains { $0.hasPrefix("right/") || $0.contains(".") })
        for name in names { #expect(try zones.rules(of: name).name == name) }
    }

    @Test(
        "A former zone name is resolved to its current name",
        arguments: [
            ("Asia/Saigon", "Asia/Ho_Chi_Minh"), ("asia/saigon", "Asia/Ho_Chi_Minh"),
            ("Europe/Kiev", "Europe/Kyiv"), ("Asia/Calcutta", "Asia/Kolkata"),
            ("US/Pacific", "America/Los_Angeles"), ("Europe/Berln", "Europe/Berlin"),
            ("Asia/Sagion", nil), ("Europe/Kiew", "Europe/Kyiv"), ("Europe/Kirow", "Europe/Kirov"),
            ("Kiew", "Europe/Kyiv"), ("München", "Europe/Berlin"),
            ("Asia / Mumbai", "Asia/Kolkata"),
            ("W. Europe Standard Time", "Europe/Berlin"), ("Asia/New Delhi", "Asia/Kolkata"),
        ] as [(String, String?)])
    func formerZoneNameIsResolvedToItsCurrentName(written: String, today: String?) {
        let known = [
            "America/Los_Angeles", "Asia/Ho_Chi_Minh", "Asia/Kolkata", "Asia/Yangon",
            "Europe/Berlin", "Europe/Kirov", "Europe/Kyiv",
        ]
        #expect(NearestZone.names(near: written, among: known) == [today].compactMap(\.self))
    }

    @Test("The help for a former zone name says what to write or install")
    func helpForAFormerZoneNameSaysWhatToWriteOrInstall() {
        let trouble = ZoneProblem(
            .unknown, name: "Europe/Kiev", meant: ["Europe/Kyiv"], { "\($0)" })
        #expect(trouble.help.text.contains("Write \"Europe/Kyiv\""))
        #expect(trouble.help.text.contains("tzdata-legacy"))
    }

    /// Hubsend and Foundation agree about the past.
    @Test(
        "Offsets match those of Foundation",
        arguments: [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
            "Pacific/Apia", "Africa/Casablanca",
        ])
    func offsetsMatchThoseOfFoundation(_ name: String) throws {
        let rules = try SystemTimeZones().rules(of: name)
        let zone = try #require(TimeZone(identifier: name))
        // Every hour of the day from 1990 to 2022.
        for instant in stride(from: 631_152_000, to: 1_640_995_200, by: 25 * 3_600 * 4) {
            let date = Date(timeIntervalSince1970: Double(instant))
            #expect(rules.offset(at: instant) == zone.secondsFromGMT(for: date), "\(date)")
        }
    }

    @Test(
        "A zone name that the system does not have is unknown",
        arguments: [
            "Europe/Berln", "europe/berlin", "Berlin", "PST", "", "/", "Europe", "Europe/",
            "/Europe/Berlin", "Europe//Berlin", "../zoneinfo/Europe/Berlin", "Etc/../UTC",
            "posix/Europe/Berlin", "right/Europe/Berlin", "tzdata.zi",
        ])
    func zoneNameThatTheSystemDoesNotHaveIsUnknown(_ name: String) {
        #expect(throws: TimeZoneError.unknown) { try SystemTimeZones().rules(of: name) }
    }

    @Test("Without a time zone database, only UTC is known")
    func withoutATimeZoneDatabaseOnlyUTCIsKnown() throws {
        let folder = try TemporaryFolder()
        let zones = SystemTimeZones(folder: folder.path + "/none")
        #expect(try zones.rules(of: "UTC").offset(at: 0) == 0)
        #expect(throws: TimeZoneError.noDatabase(folder: folder.path + "/none")) {
            try zones.rules(of: "Europe/Berlin")
        }
        #expect(zones.names.isEmpty && zones.version == nil)
        #expect(throws: TimeZoneError.noDatabase(folder: folder.path)) {
            try SystemTimeZones(folder: folder.path).rules(of: "Europe/Berlin")
        }
    }

    @Test("A damaged time zone file is refused") func damagedTimeZoneFileIsRefused() throws {
        let whole = try Array(
            Data(contentsOf: URL(filePath: SystemTimeZones.standardFolder + "/Europe/Berlin")))
        #expect(TimeZoneFile.rules(of: whole, name: "Whole") != nil)
        for length in 0..<whole.count {
            #expect(TimeZoneFile.rules(of: Array(whole[..<length]), name: "Cut") == nil)
        }
        // Reading must end, regardless of the value of each byte.
        for place in 0..<min(whole.count, 200) {
            var bytes = whole
            bytes[place] = 0xFF
            _ = TimeZoneFile.rules(of: bytes, name: "Changed")
        }
        let folder = try TemporaryFolder()
        try folder.write("no zone", to: "Europe/Berlin")
        #expect(throws: TimeZoneError.unreadable(path: folder.path + "/Europe/Berlin")) {
            try SystemTimeZones(folder: folder.path).rules(of: "Europe/Berlin")
        }
    }
}
