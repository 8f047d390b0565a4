/// Jobs for GitLab CI that check merge requests without a secret.
///
/// Writing a note in a merge request needs a token, which is a secret. So the preview is a page that the merge request links to.
enum GitLabTemplate {
    /// Where GitLab looks for it.
    static let path = ".gitlab-ci.yml"

    /// The text of that file.
    ///
    /// - Parameter folder: the folder of the campaigns in the repository.
    static func text(_ folder: RepositoryPath) -> String {
        #"""
        # Checks the campaigns of a merge request, and links in it to what people would read. It needs no secret and must
        # see none: mark the variables that sending needs as protected, so that merge requests do not get them.
        .campaigns:
          image: debian:12-slim
          rules:
            - if: $CI_PIPELINE_SOURCE == "merge_request_event"
              changes: ["\#(folder.glob)/*"]
          variables:
            CAMPAIGNS: "\#(folder.text)"
            # Fill in where your build of hubsend lies, and its checksum (sha256sum). Neither is a secret.
            PROGRAM_URL: https://www.example.com/hubsend
            PROGRAM_SHA256: "0000000000000000000000000000000000000000000000000000000000000000"
          before_script:
            - apt-get update -qq
            - apt-get install -y -qq curl ca-certificates libyaml-0-2 libsqlite3-0 libxml2 libcrypt1 libstdc++6 >/dev/null
            - curl -fsSL "$PROGRAM_URL" -o /usr/local/bin/hubsend
            - echo "$PROGRAM_SHA256  /usr/local/bin/hubsend" | sha256sum -c -
            - chmod 755 /usr/local/bin/hubsend
            # GitLab checks files out so that everybody can write them, which hubsend refuses for its config.
            - chmod -R go-w .

        validate-campaigns:
          extends: .campaigns
          script:
            - hubsend validate --format junit "$CAMPAIGNS" > findings.xml || test $? = 1
            - hubsend validate --format sarif "$CAMPAIGNS" > findings.sarif || test $? = 1
            - hubsend validate --strict "$CAMPAIGNS"
          artifacts:
            when: always
            expire_in: 1 week
            paths: [findings.sarif]
            reports:
              junit: findings.xml

        preview-campaigns:
          extends: .campaigns
          script:
            # Of a campaign with faults it shows those, for which the job above fails, and of one with people of exports or
            # runs, which are not here, that.
            - hubsend preview --format markdown "$CAMPAIGNS" > preview.md || test -s preview.md
            - hubsend preview --format html "$CAMPAIGNS" > preview.html || test -s preview.html
          artifacts:
            expose_as: Campaign preview
            expire_in: 1 week
            paths: [preview.html, preview.md]

        """#
    }
}
