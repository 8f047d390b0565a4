import CampaignCore
import YAMLSyntax

struct ScheduleSection {
    /// nil: people start the campaign.
    let schedule: Schedule?
    /// nil if it recurs.
    let moment: SourceRange?
    /// nil: people may be sent to at any time.
    let turns: TurnRule?
    /// nil if time zones do not matter.
    let zoneColumn: Located<String>?
}

struct ScheduleDecoder {
    /// What the config's `defaults` may say too.
    struct Shared {
        let zone: TimeZoneRules?
        let deadline: Duration
        let quietHours: Located<QuietHours>?
        let zoneColumn: Located<String>?
    }

    private let schedule: MappingReader
    private let zones: any TimeZoneDatabase
    private var findings: Findings { schedule.findings }

    /// nil if there is no such key; the keys may be those of the config's `defaults`.
    init?(_ campaign: MappingReader, zones: any TimeZoneDatabase = SystemTimeZones()) {
        guard let schedule = campaign.mapping("schedule") else { return nil }
        self.schedule = schedule
        self.zones = zones
    }

    func decode(with delivery: DeliverySection) -> ScheduleSection {
        let localTime = delivery.localTime
        checkTimes(with: delivery)
        let cron = cron()
        let moment = schedule.unquoted("at").flatMap { text in
            let moment = LocalTime(text.value.text)
            if moment == nil {
                schedule.reportForm("at", of: text, "2026-12-01T09:00")
            }
            return moment.map { Located($0, at: text.range) }
        }
        let shared = decodeShared()
        let hasTurns = shared.quietHours != nil || localTime != nil
        if let column = shared.zoneColumn, !schedule.has("quiet_hours"), !delivery.hasLocalTime {
            checkNeed(of: column)
        }
        if let localTime { check(localTime, cron: cron, quietHours: shared.quietHours) }
        if let cron { checkMinutes(of: cron) }
        // Even if the times are wrong, so that findings about zones are reported with them.
        let needsZones = schedule.has("quiet_hours") || delivery.hasLocalTime
        let zoneColumn = needsZones ? shared.zoneColumn : nil
        let times = cron.map(Schedule.Times.cron) ?? moment.map { .at($0.value) }
        guard let zone = shared.zone else {
            return ScheduleSection(
                schedule: nil, moment: nil, turns: nil, zoneColumn: zoneColumn)
        }
        if let moment { checkClocks(of: zone, show: moment) }
        return ScheduleSection(
            schedule: times.map {
                Schedule($0, in: zone, startDeadline: shared.deadline)
            },
            moment: moment?.range,
            turns: hasTurns
                ? TurnRule(
                    quietHours: shared.quietHours?.value, localTime: localTime?.value, zone: zone)
                : nil,
            zoneColumn: zoneColumn)
    }

    @discardableResult
    func decodeShared() -> Shared {
        let zone = zone()
        let column = schedule.column("time_zone_column")
        let deadline = schedule.duration("start_deadline")?.value ?? Schedule.standardDeadline
        guard let quiet = schedule.mapping("quiet_hours") else {
            return Shared(zone: zone, deadline: deadline, quietHours: nil, zoneColumn: column)
        }
        let other = quiet.column("time_zone_column")
        return Shared(
            zone: zone, deadline: deadline, quietHours: quietHours(quiet),
            zoneColumn: only(column, other))
    }

    /// The campaign's own column wins over that of the config's `defaults`.
    private func only(_ column: Located<String>?, _ other: Located<String>?) -> Located<String>? {
        guard let column, let other, column.value != other.value else { return column ?? other }
        switch (isOwn(column), isOwn(other)) {
        case (true, false): return column
        case (false, true): return other
        case (true, true), (false, false):
            findings.error(
                .conflictingKeys, at: other.range,
                "The schedule names two columns of time zones, \"\(column.value.shortened)\" and \"\(other.value.shortened)\".",
                help: "Keep one of them.", related: ("The other is here.", column.range))
            return column
        }
    }

    private func isOwn(_ column: Located<String>) -> Bool {
        findings.files.place(of: column.range).file == findings.file
    }

    private func quietHours(_ quiet: MappingReader) -> Located<QuietHours>? {
        let from = quiet.timeOfDay("from", form: "21:00")
        let to = quiet.timeOfDay("to", form: "08:00")
        guard let from, let to else { return nil }
        guard from.value != to.value else {
            findings.error(
                .conflictingKeys, at: to.range,
                "The quiet hours end when they begin, which may mean all day or never.",
                help: "Write another time, or delete \"quiet_hours\".",
                related: ("They begin here.", from.range))
            return nil
        }
        return Located(QuietHours(from: from.value, to: to.value), at: quiet.keyRange)
    }

    // MARK: What goes together

    /// A schedule says when the campaign starts, or when people may be sent to after a start.
    private func checkTimes(with delivery: DeliverySection) {
        let says = ["cron", "at", "quiet_hours"].contains(where: schedule.has)
        if !says, !delivery.hasLocalTime {
            findings.error(
                .missingKey, at: schedule.keyRange, "The schedule has neither \"cron\" nor \"at\".",
                help:
                    "Write when the campaign starts; one that people start needs \"quiet_hours\" or \"delivery.local_time\", or no schedule."
            )
        } else if schedule.has("cron"), schedule.has("at") {
            findings.error(
                .conflictingKeys, at: schedule.range(ofKey: "at"),
                "The schedule has both \"cron\" and \"at\".", help: "Keep one of them.",
                related: ("The first is here.", schedule.range(ofKey: "cron")))
        }
    }

    /// Warns of unused zones; those of the config's `defaults` are for other campaigns.
    private func checkNeed(of column: Located<String>) {
        guard isOwn(column) else { return }
        findings.warning(
            .noEffect, at: column.range,
            "Nothing depends on people's time zones: the schedule's own times are those of \"time_zone\".",
            help: "Delete the key, or write \"quiet_hours\" or \"delivery.local_time\".")
    }

    private func check(
        _ localTime: Located<Int>, cron: CronSchedule?, quietHours: Located<QuietHours>?
    ) {
        if let cron, cron.timesOfDay > 1 {
            findings.error(
                .conflictingKeys, at: schedule.range(ofKey: "cron"),
                "\"schedule.cron\" starts the campaign \(cron.timesOfDay) times a day, and \"delivery.local_time\" sends to each person once a day at most.",
                help: "Write one time of the day, such as \"0 0 * * *\", or delete \"local_time\".",
                related: ("The local time is here.", localTime.range))
        }
        if let quietHours, quietHours.value.contains(localTime.value) {
            findings.error(
                .conflictingKeys, at: localTime.range,
                "\"delivery.local_time\" is within the quiet hours, so that nobody would be sent to at that time.",
                help: "Write a time outside of them.",
                related: ("The quiet hours are here.", quietHours.range))
        }
    }

    // MARK: Cron

    /// Warns of a line that matches every minute, which is usually meant to name an hour.
    private func checkMinutes(of cron: CronSchedule) {
        guard cron.minutesOfHour == 60 else { return }
        findings.warning(
            .invalidTime, at: schedule.range(ofKey: "cron"),
            "\"schedule.cron\" starts the campaign in every minute of an hour, and each start sends to everybody.",
            help: "Write the minute in place of the first *, such as 0 for the full hour.")
    }

    private func cron() -> CronSchedule? {
        guard let text = schedule.unquoted("cron") else { return nil }
        do throws(CronFaults) {
            return try CronSchedule(text.value.text)
        } catch {
            for fault in error.faults {
                let (message, help) = Self.words(for: fault)
                findings.error(.invalidTime, at: text.range, message, help: help)
            }
            return nil
        }
    }

    private static func words(
        for fault: CronFault
    ) -> (message: DiagnosticMessage, help: DiagnosticMessage) {
        switch fault {
        case .fieldCount:
            return (
                "\"schedule.cron\" does not have five fields.",
                "Write minute, hour, day, month and weekday, such as \"0 9 * * mon\"."
            )
        case .unknownWord(let word):
            return (
                "\"\(word.shortened)\" names no times in \"schedule.cron\".",
                word.lowercased() == "@reboot"
                    ? "A campaign does not begin with a machine; write when, such as \"0 9 * * mon\"."
                    : NearestName.help(for: word, among: CronSchedule.words)
            )
        case .notAValue(let field, let text):
            return (
                "\"\(text.shortened)\" is not a valid \(field.rawValue) in \"schedule.cron\".",
                "Write * or \(Self.values(of: field)); 1-5, 1,3 and */2 also work."
            )
        case .backwards(let field, let text):
            return (
                "\"\(text.shortened)\" ends before it begins, as \(field.rawValue) in \"schedule.cron\".",
                field == .weekday
                    ? "Write two ranges with a comma between them; Sunday is 0 at the beginning of a week and 7 at its end."
                    : "Write two ranges with a comma between them, as 22-23,0-2 for the hours from 22 to 2."
            )
        case .stepWithoutRange(let field, let text, let value):
            let range = text.replacing(
                "\(value)/", with: "\(value)-\(field.bounds.upperBound)/", maxReplacements: 1)
            return (
                "\"\(text.shortened)\" is a step without a range, as \(field.rawValue) in \"schedule.cron\".",
                "Write \(range.shortened) for all of them from \(value) on, or only \(value)."
            )
        case .never:
            return (
                "\"schedule.cron\" never comes: no month that it names has such a day.",
                "Check the day of the month and the month."
            )
        }
    }

    private static func values(of field: CronField) -> DiagnosticMessage {
        let numbers: DiagnosticMessage =
            "a number from \(field.bounds.lowerBound) to \(field.bounds.upperBound)"
        return switch field {
        case .minute, .hour, .day: numbers
        case .month: "\(numbers), or three letters as jan"
        case .weekday: "\(numbers), or three letters as mon"
        }
    }

    // MARK: Time zone

    private func zone() -> TimeZoneRules? {
        guard let text = schedule.unquoted("time_zone") else { return nil }
        let name = text.value.text
        do throws(TimeZoneFault) {
            let zone = try zones.rules(of: name)
            checkSummerTime(of: zone, at: text.range)
            return zone
        } catch {
            let meant =
                error == .unknown ? NearestZone.names(near: name, among: zones.names) : []
            let trouble = ZoneTrouble(error, name: name, meant: meant) { "\($0)" }
            findings.error(trouble.rule, at: text.range, trouble.message, help: trouble.help)
            return nil
        }
    }
}

extension ScheduleDecoder {
    /// Warns of zones that are probably meant to be those of a place, and are not.
    private func checkSummerTime(of zone: TimeZoneRules, at range: SourceRange) {
        // In the winter and in the summer of 2027.
        let offset = zone.offset(at: 1_798_761_600)
        guard offset != 0, offset == zone.offset(at: 1_814_400_000) else { return }
        let utc = "UTC\(offset < 0 ? "-" : "+")\(abs(offset) / 3_600)"
        if zone.name.hasPrefix("Etc/GMT") {
            findings.warning(
                .invalidTime, at: range,
                "The sign of \"\(zone.name)\" is reversed: it is \(utc), all year.",
                help: "Write region and city, such as Europe/Berlin, or give the time in UTC.")
        } else if let city = ["EST": "America/New_York", "MST": "America/Denver"][zone.name] {
            findings.warning(
                .invalidTime, at: range,
                "\"\(zone.name)\" has no summer time: it is \(utc), all year.",
                help: "Write region and city, such as \(city), or give the time in UTC.")
        }
    }

    /// Warns of a time that the clocks skip.
    private func checkClocks(of zone: TimeZoneRules, show moment: Located<LocalTime>) {
        guard zone.instants(of: moment.value).isEmpty else { return }
        let start = zone.local(at: zone.instant(of: moment.value)).description.dropLast(3)
        findings.warning(
            .invalidTime, at: moment.range,
            "The clocks of \(zone.name) skip this time, so that the campaign starts at \(start).",
            help: "Write at: \(start)")
    }
}

extension QuietHours {
    fileprivate func contains(_ minute: Int) -> Bool {
        from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }
}

extension MappingReader {
    /// In minutes since midnight; nil if missing, or after reporting what is wrong.
    func timeOfDay(_ key: String, form: String) -> Located<Int>? {
        guard let text = unquoted(key) else { return nil }
        guard let minute = TimeText.minuteOfDay(text.value.text) else {
            reportForm(key, of: text, form)
            return nil
        }
        return Located(minute, at: text.range)
    }

    /// nil after reporting quotes of a word processor, which YAML takes for a part of the text.
    fileprivate func unquoted(_ key: String) -> Located<YAMLScalar>? {
        text(key).flatMap { reportsCurlyQuote(in: $0, .invalidTime, key) ? nil : $0 }
    }

    fileprivate func reportForm(_ key: String, of text: Located<YAMLScalar>, _ form: String) {
        let (message, help) =
            TimeText.fault(in: text.value.text)
            ?? ("\"\(name(of: key))\" is not understood.", "Write it in the form \(form).")
        findings.error(.invalidTime, at: text.range, message, help: help)
    }
}
