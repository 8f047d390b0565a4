import CampaignCore

/// The key `schedule`, without parts that could not be read.
struct ScheduleSection {
    private let reader: MappingReader
    private let cron: CronSchedule?
    private let moment: Located<LocalTime>?
    private let zone: TimeZoneRules?
    private let deadline: Duration
    private let quietHours: Located<QuietHours>?
    private let zoneColumn: Located<String>?
    private var findings: Findings { reader.findings }

    init(_ schedule: MappingReader, zones: any TimeZoneDatabase = SystemTimeZones()) {
        reader = schedule
        cron = schedule.cron()
        moment = schedule.unquoted("at").flatMap { text in
            let moment = LocalTime(text.value.text)
            if moment == nil { schedule.reportForm("at", of: text, "2026-12-01T09:00") }
            return moment.map { Located($0, at: text.range) }
        }
        zone = schedule.zone(in: zones)
        deadline = schedule.duration("start_deadline")?.value ?? Schedule.standardDeadline
        let quiet = schedule.mapping("quiet_hours")
        quietHours = quiet.flatMap(\.quietHours)
        zoneColumn = schedule.only(
            schedule.column("time_zone_column"), quiet?.column("time_zone_column"))
        if let cron, cron.minutesOfHour == 60 {
            findings.warning(
                .invalidTime, at: schedule.range(ofKey: "cron"),
                "\"schedule.cron\" starts the campaign every minute for at least an hour, and each start sends to everybody.",
                help: "Replace the first * with a minute, such as 0 for the top of the hour.")
        }
        if let zone, let moment { checkClocks(of: zone, show: moment) }
    }

    /// nil if the campaign is started by hand.
    var schedule: Schedule? {
        guard let zone, let times = cron.map(Schedule.Times.cron) ?? moment.map({ .at($0.value) })
        else { return nil }
        return Schedule(times, in: zone, startDeadline: deadline)
    }

    /// nil unless the campaign starts exactly once.
    var start: ScheduledStart? {
        guard let moment, cron == nil else { return nil }
        return schedule.flatMap { ScheduledStart($0, at: moment.range) }
    }

    // MARK: Together with the delivery

    /// nil if pushes may go out at any time.
    func sendTimes(with localTime: Located<Int>?) -> SendTimeRule? {
        guard let zone, quietHours != nil || localTime != nil else { return nil }
        return SendTimeRule(quietHours: quietHours?.value, localTime: localTime?.value, zone: zone)
    }

    /// nil if the times do not depend on people's time zones.
    func zoneColumn(with delivery: DeliverySection) -> Located<String>? {
        // The column is used even if the times are wrong, so that findings about zones are
        // reported.
        reader.has("quiet_hours") || delivery.hasLocalTime ? zoneColumn : nil
    }

    func check(with delivery: DeliverySection) {
        // A column of the config's `defaults` may be meant for other campaigns.
        if let zoneColumn, self.zoneColumn(with: delivery) == nil, reader.isOwn(zoneColumn) {
            findings.warning(
                .noEffect, at: zoneColumn.range,
                "People's time zones have no effect without quiet hours or a local time; the schedule uses \"time_zone\".",
                help: "Delete the key, or add \"quiet_hours\" or \"delivery.local_time\".")
        }
        guard let localTime = delivery.localTime else { return }
        if let cron, cron.timesOfDay > 1 {
            findings.error(
                .conflictingKeys, at: reader.range(ofKey: "cron"),
                "\"schedule.cron\" starts the campaign \(cron.timesOfDay) times a day, but \"delivery.local_time\" sends to each person at most once a day.",
                help: "Write one time of day, such as \"0 0 * * *\", or delete \"local_time\".",
                related: ("The local time is set here.", localTime.range))
        }
        if let quietHours, quietHours.value.contains(localTime.value) {
            findings.error(
                .conflictingKeys, at: localTime.range,
                "\"delivery.local_time\" is within the quiet hours, when nobody gets a push.",
                help: "Write a time outside the quiet hours.",
                related: ("The quiet hours are set here.", quietHours.range))
        }
    }

    /// Warns about a time that is skipped when the clocks change.
    private func checkClocks(of zone: TimeZoneRules, show moment: Located<LocalTime>) {
        guard zone.instants(of: moment.value).isEmpty else { return }
        let start = zone.local(at: zone.instant(of: moment.value)).description.dropLast(3)
        findings.warning(
            .invalidTime, at: moment.range,
            "Clocks in \(zone.name) skip this time, so the campaign starts at \(start).",
            help: "Write at: \(start)")
    }
}

extension MappingReader {
    /// The campaign's own column takes precedence over the one in the config's `defaults`.
    fileprivate func only(
        _ column: Located<String>?, _ other: Located<String>?
    ) -> Located<String>? {
        guard let column, let other, column.value != other.value else { return column ?? other }
        guard isOwn(column) == isOwn(other) else { return isOwn(column) ? column : other }
        findings.error(
            .conflictingKeys, at: other.range,
            "The schedule specifies two time zone columns, \"\(column.value.shortened)\" and \"\(other.value.shortened)\".",
            help: "Keep one of them.", related: ("The other key is here.", column.range))
        return column
    }

    fileprivate func isOwn(_ column: Located<String>) -> Bool {
        findings.files.place(of: column.range).file == findings.file
    }

    fileprivate var quietHours: Located<QuietHours>? {
        let from = timeOfDay("from", form: "21:00")
        let to = timeOfDay("to", form: "08:00")
        guard let from, let to else { return nil }
        guard from.value != to.value else {
            findings.error(
                .conflictingKeys, at: to.range,
                "The quiet hours begin and end at the same time, which could mean all day or never.",
                help: "Write a different time, or delete \"quiet_hours\".",
                related: ("The quiet hours begin here.", from.range))
            return nil
        }
        return Located(QuietHours(from: from.value, to: to.value), at: keyRange)
    }

    fileprivate func cron() -> CronSchedule? {
        guard let text = unquoted("cron") else { return nil }
        do throws(CronErrors) {
            return try CronSchedule(text.value.text)
        } catch {
            for problem in error.errors {
                let (message, help) = Self.words(for: problem)
                findings.error(.invalidTime, at: text.range, message, help: help)
            }
            return nil
        }
    }

    private static func words(
        for problem: CronError
    ) -> (message: DiagnosticMessage, help: DiagnosticMessage) {
        switch problem {
        case .fieldCount:
            return (
                "\"schedule.cron\" does not have five fields.",
                "Write minute, hour, day, month and weekday, such as \"0 9 * * mon\"."
            )
        case .unknownWord(let word):
            return (
                "\"\(word.shortened)\" is not a valid word in \"schedule.cron\".",
                word.lowercased() == "@reboot"
                    ? "A campaign cannot start when a machine boots; write a time, such as \"0 9 * * mon\"."
                    : NearestName.help(for: word, among: CronSchedule.words)
            )
        case .notAValue(let field, let text):
            return (
                "\"\(text.shortened)\" is not a valid \(field.rawValue) in \"schedule.cron\".",
                "Write * or \(Self.values(of: field)); 1-5, 1,3 and */2 also work."
            )
        case .backwards(let field, let text):
            return (
                "In \"schedule.cron\", the \(field.rawValue) \"\(text.shortened)\" ends before it begins.",
                field == .weekday
                    ? "Write two ranges separated by a comma; Sunday is 0 at the start of a week and 7 at its end."
                    : "Write two ranges separated by a comma, such as 22-23,0-2 for the hours from 22 to 2."
            )
        case .stepWithoutRange(let field, let text, let value):
            let range = text.replacing(
                "\(value)/", with: "\(value)-\(field.bounds.upperBound)/", maxReplacements: 1)
            return (
                "In \"schedule.cron\", the \(field.rawValue) \"\(text.shortened)\" is a step without a range.",
                "Write \(range.shortened) for every step starting at \(value), or just \(value)."
            )
        case .never:
            return (
                "\"schedule.cron\" never matches: none of its months has that day.",
                "Check the day of the month and the month."
            )
        }
    }

    private static func values(of field: CronField) -> DiagnosticMessage {
        let numbers: DiagnosticMessage =
            "a number from \(field.bounds.lowerBound) to \(field.bounds.upperBound)"
        return switch field {
        case .minute, .hour, .day: numbers
        case .month: "\(numbers), or three letters such as jan"
        case .weekday: "\(numbers), or three letters such as mon"
        }
    }

    fileprivate func zone(in zones: any TimeZoneDatabase) -> TimeZoneRules? {
        guard let text = unquoted("time_zone") else { return nil }
        let name = text.value.text
        do throws(TimeZoneError) {
            let zone = try zones.rules(of: name)
            checkSummerTime(of: zone, at: text.range)
            return zone
        } catch {
            let meant =
                error == .unknown ? NearestZone.names(near: name, among: zones.names) : []
            let trouble = ZoneProblem(error, name: name, meant: meant) { "\($0)" }
            findings.error(trouble.rule, at: text.range, trouble.message, help: trouble.help)
            return nil
        }
    }

    /// Warns about zones that look like the zone of a place but have no summer time.
    private func checkSummerTime(of zone: TimeZoneRules, at range: SourceRange) {
        // The two instants are in the winter and in the summer of 2027.
        let offset = zone.offset(at: 1_798_761_600)
        guard offset != 0, offset == zone.offset(at: 1_814_400_000) else { return }
        let utc = "UTC\(offset < 0 ? "-" : "+")\(abs(offset) / 3_600)"
        if zone.name.hasPrefix("Etc/GMT") {
            findings.warning(
                .invalidTime, at: range,
                "The sign of \"\(zone.name)\" is reversed: it means \(utc) all year.",
                help: "Write a region and city, such as Europe/Berlin, or give the time in UTC.")
        } else if let city = ["EST": "America/New_York", "MST": "America/Denver"][zone.name] {
            findings.warning(
                .invalidTime, at: range,
                "\"\(zone.name)\" has no summer time: it means \(utc) all year.",
                help: "Write a region and city, such as \(city), or give the time in UTC.")
        }
    }
}

extension QuietHours {
    fileprivate func contains(_ minute: Int) -> Bool {
        from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }
}

extension MappingReader {
    /// Reads a time as minutes since midnight; nil if the key is missing, or after reporting an
    /// invalid time.
    func timeOfDay(_ key: String, form: String) -> Located<Int>? {
        guard let text = unquoted(key) else { return nil }
        guard let minute = TimeText.minuteOfDay(text.value.text) else {
            reportForm(key, of: text, form)
            return nil
        }
        return Located(minute, at: text.range)
    }

    /// nil after reporting a word processor's quotes, which YAML reads as part of the text.
    fileprivate func unquoted(_ key: String) -> Located<YAMLScalar>? {
        text(key).flatMap { reportsCurlyQuote(in: $0, .invalidTime, key) ? nil : $0 }
    }

    fileprivate func reportForm(_ key: String, of text: Located<YAMLScalar>, _ form: String) {
        let (message, help) =
            TimeText.problem(in: text.value.text)
            ?? ("\"\(name(of: key))\" is not a valid time.", "Write it in the form \(form).")
        findings.error(.invalidTime, at: text.range, message, help: help)
    }
}
