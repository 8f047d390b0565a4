import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RunDetailsTests {
    @Test("The most important details are shown first") func mostImportantDetailsAreShownFirst() {
        #expect(
            RunDocument(
                overview: ReportSamples.details().overview,
                command: CommandForm(options: ["--store", "s.sqlite"])
            ).whole(ReportSamples.details()).text() == """
                statement-ready: finished, 1,970 of 1,976 pushes accepted

                  accepted  1,970  99.7 %  the hub accepted it; this does not prove arrival
                  rejected      4   0.2 %  the hub permanently refused it
                  unknown       1   0.1 %  may have gone out; the answer was lost
                  skipped       1   0.1 %  left out on purpose

                  platform  accepted  rejected  unknown  skipped
                  apns           985         2        0        1
                  fcm            985         2        1        0

                People:
                  listed    1,000                      12 excluded
                  sent        988  98.8 % of listed    all recipients of this run
                  accepted    985  99.7 % of sent      the hub accepted it; this does not prove arrival
                  fetched     640  65.0 % of accepted  their app fetched the payload
                  read        312  48.8 % of fetched   their app reported it

                Reasons, most frequent first:
                  4  rejected  such as alice  HTTP 400: bad
                  1 more for other reasons; the report lists them

                  people         988 (1,000 in the list, 12 excluded)
                  deliveries     1,976 on apns, fcm
                  requests       1,980
                  started        2026-12-01 09:00:00 UTC
                  finished       2026-12-01 09:00:04 UTC
                  duration       4.1s
                  expires        2026-12-08 09:00:00 UTC
                  hub            local/hub, a hub that runs only during the command and reaches no phones
                  run            20261201T090000Z-abcdef
                  occurrence     once
                  file           /campaigns/HTTP 400: bad.yaml
                  kind           secure, title and message not in the push
                  rate           at most 500 requests a second
                  in flight      at most 64 requests
                  attempts       at most 5 within 15 min
                  finish within  24 h
                  if unanswered  resend

                To send it only to the people it did not reach (those with outcome unknown may have got it): hubsend run '/campaigns/HTTP 400: bad.yaml' --again --only rejected,unknown --store s.sqlite

                To write its report: hubsend report 20261201T090000Z-abcdef --store s.sqlite

                """)
    }

    @Test("The details of a run that has sent nothing are short and say what to do")
    func detailsOfARunThatHasSentNothingAreShortAndSayWhatToDo() {
        var details = ReportSamples.details()
        details.overview = RunOverview(
            run: ReportSamples.record(state: .staging, counts: AudienceCounts(), finished: nil),
            outcomes: OutcomeCounts())
        details.tried = 0
        let text = RunDocument(overview: details.overview).whole(details).text()
        #expect(text.hasPrefix("statement-ready: staging, nothing sent yet\n\nPeople:\n"))
        #expect(text.contains("  listed    0    in the audience\n"))
        #expect(
            text.hasSuffix(
                "\n\nIf no process is sending it any more: hubsend resume 20261201T090000Z-abcdef\n"
            ))
    }

    @Test("Waves are shown in the order in which they begin")
    func wavesAreShownInTheOrderInWhichTheyBegin() throws {
        var details = ReportSamples.details()
        details.waves = ReportSamples.waves
        let text = RunDocument(overview: details.overview).whole(details).text()
        #expect(
            text.contains(
                """

                Waves:
                  begins                   people  accepted  rejected  unknown  skipped  time zones
                  2026-12-01 09:00:00 UTC     900     1,800         0        0        0  Europe/Berlin, Europe/Paris, Europe/Rome and 1 more
                  2026-12-01 14:00:00 UTC      88       100         0        0        0  America/New_York

                """))
        let line = String(decoding: try RunJSON.details(details).line(), as: UTF8.self)
        #expect(
            line.contains(
                #""waves":[{"begins":"2026-12-01T09:00:00Z","outcomes":{"accepted":1800,"#))
        #expect(line.contains(#""recipients":88,"time_zones":["America/New_York"]}]"#))
    }

    @Test("Workers are shown with what each has done")
    func workersAreShownWithWhatEachHasDone() throws {
        var details = ReportSamples.details()
        details.overview.run = ReportSamples.record(state: .running, finished: nil)
        details.overview.workers = [
            ReportSamples.worker(on: "web-1"), ReportSamples.worker(on: "b\u{1B}[31mad", rate: nil),
        ]
        let text = RunDocument(overview: details.overview).whole(details).text()
        #expect(
            text.contains(
                """

                Workers:
                  host           process  pushes  requests   rate  since                    last seen
                  web-1             4711   1,234     1,240  250/s  2026-12-01 09:00:00 UTC  2026-12-01 09:01:00 UTC
                  b\\u{1B}[31mad     4711   1,234     1,240         2026-12-01 09:00:00 UTC  2026-12-01 09:01:00 UTC

                """), "\(text)")
        #expect(!text.contains("If no process is sending it"))
        let line = String(decoding: try RunJSON.details(details).line(), as: UTF8.self)
        #expect(
            line.contains(
                #""workers":[{"host":"web-1","last_seen":"2026-12-01T09:01:00Z","outcomes":{"accepted":1200,"#
            ), "\(line)")
        #expect(
            line.contains(
                #""process":4711,"rate":250,"requests":1240,"since":"2026-12-01T09:00:00Z","version":"0.1.0"}"#
            ), "\(line)")
        #expect(line.contains(#""rate":null"#))
        #expect(!line.contains("\u{1B}"))
    }

    @Test("The details of a waiting run say until when it waits, and how to continue")
    func detailsOfAWaitingRunSayUntilWhenItWaitsAndHowToContinue() {
        var details = ReportSamples.details()
        details.overview = RunOverview(
            run: ReportSamples.record(
                state: .waiting, finished: nil,
                resumes: ReportSamples.start.addingTimeInterval(18_000)),
            outcomes: OutcomeCounts([.accepted: 1800, .notAttempted: 176]))
        let text = RunDocument(overview: details.overview).whole(details).text()
        #expect(
            text.hasPrefix(
                "statement-ready: waiting until 2026-12-01 14:00:00 UTC, 1,800 of 1,976 pushes so far\n"
            ))
        #expect(text.contains("continues      2026-12-01 14:00:00 UTC\n"))
        #expect(
            text.hasSuffix(
                "\n\n`hubsend run --due` continues it when the next wave is due. To continue it now: hubsend resume 20261201T090000Z-abcdef\n"
            ))
    }

    @Test("A run lists its fallbacks, and a fallback names its run")
    func runListsItsFallbacksAndAFallbackNamesItsRun() throws {
        struct Object: Decodable {
            let fallbackOf: String?
            let fallbacks: [String]
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let follower = RunID(checked: "20261201T100000Z-cccccc")
        var parent = ReportSamples.details()
        parent.overview.fallbacks = [follower]
        let text = RunDocument(overview: parent.overview).whole(parent).text()
        #expect(
            text.split(separator: "\n").contains {
                $0.hasPrefix("  fallback ") && $0.hasSuffix(" \(follower)")
            })
        let object = try decoder.decode(Object.self, from: Data(RunJSON.details(parent).line()))
        #expect(object.fallbackOf == nil && object.fallbacks == [follower.text])

        var fallback = ReportSamples.details()
        fallback.overview.run.occurrence = .fallback(of: ReportSamples.run, number: 1)
        let lines = RunDocument(overview: fallback.overview).whole(fallback).text().split(
            separator: "\n")
        #expect(lines.first?.hasPrefix("statement-ready: finished (fallback), ") == true)
        #expect(
            lines.contains {
                $0.hasPrefix("  fallback of ") && $0.hasSuffix(" \(ReportSamples.run)")
            })
        let summary = RunDocument(overview: fallback.overview).summary().text()
        #expect(summary.contains("fallback of"))
        let other = try decoder.decode(Object.self, from: Data(RunJSON.details(fallback).line()))
        #expect(other.fallbackOf == ReportSamples.run.text && other.fallbacks.isEmpty)
    }

    @Test("The JSON details contain all the keys of the list")
    func jsonDetailsContainAllTheKeysOfTheList() throws {
        struct Object: Decodable, Equatable {
            struct Platform: Decodable, Equatable {
                let platform: String
                let outcomes: [String: Int]
            }
            struct Reason: Decodable, Equatable { let outcome, reason, example: String }
            struct Course: Decodable, Equatable {
                let start: String
                let stepSeconds: Int
                let steps: [[String: Int]]
            }
            struct Policy: Decodable, Equatable {
                let rate: Double
                let retrySeconds, finishWithinSeconds: Int
                let onUnknown: String
            }
            let run, campaign, hub, kind, file, expires: String
            let rehearsal, privateMessage: Bool
            let people, skipped: [String: Int]
            let platforms: [Platform]
            let reasons: [Reason]
            let course: Course?
            let delivery: Policy
        }
        let line = try RunJSON.details(ReportSamples.details()).line()
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let object = try decoder.decode(Object.self, from: Data(line))
        #expect(object.run == ReportSamples.run.text)
        #expect(object.hub == "local/hub")
        #expect(object.kind == "secure")
        #expect(object.file == "/campaigns/HTTP 400: bad.yaml")
        #expect(object.expires == "2026-12-08T09:00:00Z")
        #expect(!object.rehearsal && object.privateMessage)
        #expect(
            object.people == [
                "named": 1000, "duplicate": 0, "excluded": 12, "sent": 988, "accepted": 985,
                "fetched": 640, "read": 312,
            ])
        #expect(object.skipped == ["too_late": 0, "expired": 0, "revoked": 0])
        #expect(object.platforms.map(\.platform) == ["apns", "fcm"])
        #expect(
            object.platforms.last?.outcomes == [
                "accepted": 985, "rejected": 2, "failed": 0, "unknown": 1, "skipped": 0,
                "not_attempted": 0,
            ])
        #expect(
            object.reasons
                == [Object.Reason(outcome: "rejected", reason: "HTTP 400: bad", example: "alice")])
        #expect(object.course?.stepSeconds == 5)
        #expect(
            object.course?.steps.last
                == ["accepted": 70, "rejected": 4, "failed": 0, "unknown": 1])
        #expect(
            object.delivery
                == Object.Policy(
                    rate: 500, retrySeconds: 900, finishWithinSeconds: 86_400,
                    onUnknown: "resend"))
        let list = try JSONDecoder().decode(
            [[String: Kept]].self,
            from: Data(RunJSON.list([ReportSamples.details().overview]).line()))
        let keys = try JSONDecoder().decode([String: Kept].self, from: Data(line)).keys
        let first = try #require(list.first)
        #expect(Set(first.keys).isSubset(of: keys))
    }

    private struct Kept: Decodable {
        init(from decoder: any Decoder) {}
    }
}
