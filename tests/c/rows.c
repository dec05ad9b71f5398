/* A table of rows of different lengths on the heap (a triangle of sums). */
#include <assert.h>
#include <stdlib.h>

#define ROWS 4

static int **triangle(void) {
  int **rows = malloc(ROWS * sizeof *rows);
  if (!rows) return NULL;
  for (int i = 0; i < ROWS; i++) {
    rows[i] = malloc((size_t)(i + 1) * sizeof **rows);
    if (!rows[i]) {
      while (i > 0)
        free(rows[--i]);
      free(rows);
      return NULL;
    }
    rows[i][0] = rows[i][i] = 1;
    for (int j = 1; j < i; j++)
      rows[i][j] = rows[i - 1][j - 1] + rows[i - 1][j];
  }
  return rows;
}

int main(void) {
  int **rows = triangle();
  if (rows == NULL) return 1;
  int sum = 0;
  for (int j = 0; j < ROWS; j++)
    sum += rows[ROWS - 1][j];
  assert(sum == 8);
  for (int i = 0; i < ROWS; i++)
    free(rows[i]);
  free(rows);
  return 0;
}
