import CampaignCore
import YAMLSyntax

/// The key `schedule`, read.
struct ScheduleSection {
    let schedule: Schedule
    /// Where its one moment stands; nil where it comes again and again.
    let moment: SourceRange?
}

/// Reads the key `schedule` of a campaign.
struct ScheduleDecoder {
    private let schedule: MappingReader
    private let zones: any TimeZoneDatabase
    private var findings: Findings { schedule.findings }

    /// - Parameters:
    ///   - campaign: the campaign's keys, or those of the config's `defaults`.
    ///   - zones: the time zones that there are.
    /// - Returns: nil where there is no such key.
    init?(_ campaign: MappingReader, zones: any TimeZoneDatabase = SystemTimeZones()) {
        guard let schedule = campaign.mapping("schedule") else { return nil }
        self.schedule = schedule
        self.zones = zones
    }

    /// When the campaign is sent; nil after reporting what is wrong.
    func decode() -> ScheduleSection? {
        checkTimes()
        let cron = cron()
        let moment = schedule.text("at").flatMap { text in
            let moment = LocalTime(text.value.text)
            if moment == nil {
                schedule.reportForm("at", of: text, "2026-12-01T09:00")
            }
            return moment.map { Located($0, at: text.range) }
        }
        let shared = decodeShared()
        guard let zone = shared.zone,
            let times = cron.map(Schedule.Times.cron)
                ?? moment.map({ .at($0.value) })
        else { return nil }
        return ScheduleSection(
            schedule: Schedule(times, in: zone, startDeadline: shared.deadline),
            moment: moment?.range)
    }

    /// Reads what the config's `defaults` may say too.
    @discardableResult
    func decodeShared() -> (zone: TimeZoneRules?, deadline: Duration) {
        let zone = zone()
        _ = schedule.text("time_zone_column")
        let deadline = schedule.duration("start_deadline")?.value ?? Schedule.standardDeadline
        if let quiet = schedule.mapping("quiet_hours") {
            quiet.checkTime("from", form: "21:00", isGood: TimeText.isTimeOfDay)
            quiet.checkTime("to", form: "08:00", isGood: TimeText.isTimeOfDay)
            _ = quiet.text("time_zone_column")
        }
        return (zone, deadline)
    }

    /// A schedule has either `cron` or `at`.
    private func checkTimes() {
        if !schedule.has("cron"), !schedule.has("at") {
            findings.error(
                .missingKey, at: schedule.keyRange, "The schedule has neither \"cron\" nor \"at\".")
        } else if schedule.has("cron"), schedule.has("at") {
            findings.error(
                .conflictingKeys, at: schedule.range(ofKey: "at"),
                "The schedule has both \"cron\" and \"at\".", help: "Keep one of them.",
                related: ("The first is here.", schedule.range(ofKey: "cron")))
        }
    }

    // MARK: Cron

    private func cron() -> CronSchedule? {
        guard let text = schedule.text("cron") else { return nil }
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
                "Write * or a number from \(field.bounds.lowerBound) to \(field.bounds.upperBound); 1-5, 1,3 and */2 also work."
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

    // MARK: Time zone

    private func zone() -> TimeZoneRules? {
        guard let text = schedule.text("time_zone") else { return nil }
        let name = text.value.text
        guard TimeText.isZoneName(name) else {
            schedule.reportForm("time_zone", of: text, "Europe/Berlin")
            return nil
        }
        do throws(TimeZoneFault) {
            return try zones.rules(of: name)
        } catch {
            switch error {
            case .unknown:
                findings.error(
                    .invalidTime, at: text.range,
                    "There is no time zone \"\(name)\" in this system's database.",
                    help: help(forZone: name))
            case .noDatabase(let folder):
                findings.error(
                    .unreadableFile, at: text.range,
                    "This system has no time zone database in \(folder), so that nobody can say when this is.",
                    help: "Install the system's package of it, which most systems call tzdata.")
            case .unreadable(let path):
                findings.error(
                    .unreadableFile, at: text.range,
                    "The time zone's file \(path) cannot be read, or is damaged.",
                    help: "Install the system's package tzdata again.")
            }
            return nil
        }
    }

    /// The names that were probably meant.
    private func help(forZone name: String) -> DiagnosticMessage {
        let meant = NearestZone.names(near: name, among: zones.names).map { "\"\($0)\"" }
        guard !meant.isEmpty else {
            return
                "Write region and city as the database has them, such as Europe/Berlin; abbreviations and offsets know no summer time."
        }
        return "Did you mean \(meant.joined(separator: " or "))?"
    }
}

extension MappingReader {
    /// Checks the form of a time that nothing acts on yet.
    ///
    /// - Parameters:
    ///   - key: its key.
    ///   - form: an example of the form.
    ///   - isGood: whether a text has it.
    func checkTime(_ key: String, form: String, isGood: (String) -> Bool) {
        guard let text = text(key), !isGood(text.value.text) else { return }
        reportForm(key, of: text, form)
    }

    /// Says that a text does not have a form, of which there is an example.
    fileprivate func reportForm(_ key: String, of text: Located<YAMLScalar>, _ form: String) {
        findings.error(
            .invalidTime, at: text.range, "\"\(name(of: key))\" is not understood.",
            help: "Write it in the form \(form).")
    }
}
